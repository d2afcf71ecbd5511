package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@WholeService
class MigrationIT {

  @Autowired Shop shop;

  @Test
  void theServiceKeepsTheHistoryOfItsSchema() {
    List<String> versions =
        shop.sql()
            .sql("select version from flyway_schema_history where success order by installed_rank")
            .query(String.class)
            .list();

    assertThat(versions).startsWith("1", "2", "3", "10");
  }

  @RepeatedTest(3)
  void fiveReplicasStartingTogetherOnAnEmptyDatabaseMigrateItOnce() throws Exception {
    Database empty = TestPostgres.shared().freshDatabase("replicas", "order_service");
    CountDownLatch start = new CountDownLatch(1);
    int migrated = 0;

    try (ExecutorService replicas = Executors.newFixedThreadPool(5)) {
      List<Future<Integer>> all =
          IntStream.range(0, 5)
              .mapToObj(
                  n ->
                      replicas.submit(
                          () -> {
                            start.await();
                            return migrate(empty, "outbox_relay");
                          }))
              .toList();
      start.countDown();
      for (Future<Integer> replica : all) {
        migrated += replica.get(60, TimeUnit.SECONDS);
      }
    }

    assertThat(migrated).isEqualTo(4);
  }

  @Test
  void withoutTheRelaysRoleItSaysWhatToDo() {
    Database empty = TestPostgres.shared().freshDatabase("norelay", "order_service");

    assertThatException()
        .isThrownBy(() -> migrate(empty, "nobody_knows"))
        .withMessageContaining("Create it before order-service migrates");
  }

  private static int migrate(Database database, String relayRole) {
    return Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .placeholders(Map.of("relay_role", relayRole))
        .load()
        .migrate()
        .migrationsExecuted;
  }
}
