package id.kabar.localstack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresServerIT {

  @TempDir static Path home;
  private static PostgresServer server;

  @BeforeAll
  static void create() {
    server = server(home, Ports.free());
  }

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterAll
  static void nothingStays() {
    server.kill();
  }

  @Test
  void killedServerKeepsWhatItHasCommitted() throws SQLException {
    execute("create table kept (id int)");
    execute("insert into kept values (1)");

    server.kill();
    server.start();

    assertThat(one("select id from kept")).isEqualTo("1");
  }

  @Test
  void serverKilledInTheMiddleOfAQueryStartsAgainAtOnce() throws Exception {
    CompletableFuture<Void> query =
        CompletableFuture.runAsync(
            () -> {
              try {
                execute("select pg_sleep(600)");
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    await()
        .until(
            () ->
                "1"
                    .equals(
                        one(
                            "select count(*) from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()")));

    server.kill();
    server.start();

    assertThat(query).failsWithin(Duration.ofSeconds(10));
    assertThat(one("select 1")).isEqualTo("1");
  }

  @Test
  void serverLeftBehindByAKilledJvmIsEndedBeforeTheNextStarts() throws SQLException {
    OsProcess leftBehind = server.process().orElseThrow();

    server = server(home, server.port());
    server.start();

    assertThat(leftBehind.isAlive()).isFalse();
    assertThat(one("select 1")).isEqualTo("1");
  }

  @Test
  void frozenServerAnswersAfterItsThaw() throws Exception {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      server.freeze();
      CompletableFuture<Void> answer =
          CompletableFuture.runAsync(
              () -> {
                try {
                  statement.execute("select 1");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      await().during(Duration.ofMillis(300)).until(() -> !answer.isDone());

      server.thaw();

      assertThat(answer).succeedsWithin(Duration.ofSeconds(10));
    }
  }

  @Test
  void takenPortIsNamedAndNothingIsStarted() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      PostgresServer late = server(home.resolve("late"), socket.getLocalPort());

      assertThatThrownBy(late::start)
          .isInstanceOf(PortTaken.class)
          .hasMessageContaining("Port %d, which postgres needs".formatted(socket.getLocalPort()));
      assertThat(late.isAlive()).isFalse();
      assertThat(home.resolve("late/data")).doesNotExist();
    }
  }

  @Test
  void provisioningAgainChangesNothing() throws SQLException {
    try (Connection superuser = server.connect("postgres")) {
      Provisioning.all(superuser);
      assertThatCode(() -> Provisioning.all(superuser)).doesNotThrowAnyException();
    }
    assertThat(
            one(
                "select string_agg(datname || ' of ' || datdba::regrole, ', ' order by datname)"
                    + " from pg_database where datname in ('orders', 'notifications')"))
        .isEqualTo("notifications of notification_service, orders of order_service");
  }

  private static PostgresServer server(Path folder, int port) {
    PostgresServer fresh = new PostgresServer(folder, port, folder.resolve("postgres.log"));
    fresh.diesWithThisJvm();
    return fresh;
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String one(String query) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }
}
