package id.kabar.orders.why;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What goes wrong between a database and a broker, and what an outbox does about it:
 * docs/why-an-outbox.md.
 */
class WhyAnOutboxIT {

  private static Database database;
  private static JdbcClient sql;
  private static TransactionTemplate transaction;

  @TempDir Path folder;
  private Path broker;

  @BeforeAll
  static void aShop() {
    database = TestPostgres.shared().freshDatabase("why", "order_service");
    database.execute(
        """
        create table shop_order (id integer primary key, paid boolean not null);
        create table shop_outbox (id bigint generated always as identity, event text not null);
        """);
    DriverManagerDataSource source =
        new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    sql = JdbcClient.create(source);
    transaction = new TransactionTemplate(new JdbcTransactionManager(source));
  }

  @BeforeEach
  void oneOrderToPay() throws IOException {
    database.execute(
        """
        truncate shop_order, shop_outbox;
        insert into shop_order values (1, false);
        """);
    broker = Files.createFile(folder.resolve("broker"));
  }

  @Test
  void aWorkerThatRunsBeforeTheCommitSeesAnUnpaidOrder() {
    boolean seenByTheWorker =
        transaction.execute(
            status -> {
              pay();
              // The job is published here, and a quick worker on its own connection takes it at
              // once.
              return isPaidForOthers();
            });

    assertThat(seenByTheWorker).isFalse();
    assertThat(isPaidForOthers()).isTrue();
  }

  @Test
  void anEventPublishedInsideATransactionOutlivesItsRollback() {
    Queue<String> published = new ArrayDeque<>();

    transaction.executeWithoutResult(
        status -> {
          pay();
          published.add("paid");
          status.setRollbackOnly(); // as a constraint, a deadlock or a lost connection would
        });

    assertThat(published).containsExactly("paid");
    assertThat(isPaidForOthers()).isFalse();
  }

  @Test
  void anAfterCommitHookPublishesWhatWasCommittedAndNothingElse() {
    Queue<String> published = new ArrayDeque<>();

    transaction.executeWithoutResult(
        status -> {
          pay();
          afterCommit(() -> published.add("paid"));
          status.setRollbackOnly();
        });
    assertThat(published).isEmpty();

    transaction.executeWithoutResult(
        status -> {
          pay();
          afterCommit(() -> published.add("paid"));
        });
    assertThat(published).containsExactly("paid");
  }

  @Test
  void anAfterCommitHookLosesItsEventWhenItsProcessDies() throws Exception {
    assertThat(runShortLivedShop("after-commit")).isEqualTo(ShortLivedShop.DIED);

    assertThat(isPaidForOthers()).isTrue();
    assertThat(broker).isEmptyFile();
    assertThat(sql.sql("select event from shop_outbox").query(String.class).list()).isEmpty();
  }

  @Test
  void anOutboxStillHasTheEventWhenItsProcessDies() throws Exception {
    assertThat(runShortLivedShop("outbox")).isEqualTo(ShortLivedShop.DIED);

    assertThat(isPaidForOthers()).isTrue();
    relay();
    assertThat(broker).hasContent("paid");
  }

  @Test
  void anOutboxHasNoEventOfARolledBackTransaction() throws IOException {
    transaction.executeWithoutResult(
        status -> {
          pay();
          sql.sql("insert into shop_outbox (event) values ('paid')").update();
          status.setRollbackOnly();
        });

    relay();
    assertThat(broker).isEmptyFile();
  }

  /**
   * The smallest relay: what is published is deleted only afterwards, so it may be sent twice, but
   * never lost.
   */
  private void relay() throws IOException {
    List<String> events =
        sql.sql("select event from shop_outbox order by id").query(String.class).list();
    Files.write(broker, events);
    sql.sql("delete from shop_outbox").update();
  }

  private void pay() {
    sql.sql("update shop_order set paid = true").update();
  }

  private static void afterCommit(Runnable hook) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            hook.run();
          }
        });
  }

  /** As every other process sees it: a source of its own knows nothing of this transaction. */
  private static boolean isPaidForOthers() {
    JdbcClient others =
        JdbcClient.create(
            new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
    return others.sql("select paid from shop_order").query(Boolean.class).single();
  }

  private int runShortLivedShop(String way) throws IOException, InterruptedException {
    Process shop =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ShortLivedShop.class.getName(),
                database.jdbcUrl(),
                database.user(),
                database.password(),
                way,
                broker.toString())
            .inheritIO()
            .start();
    try {
      assertThat(shop.waitFor(60, TimeUnit.SECONDS)).isTrue();
      return shop.exitValue();
    } finally {
      shop.destroyForcibly();
    }
  }
}
