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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresServerIT {

  @TempDir Path home;
  private PostgresServer server;

  @AfterEach
  void nothingStays() {
    server.kill();
  }

  @Test
  void killedServerKeepsWhatItHasCommitted() throws SQLException {
    server = started(Ports.free());
    execute("create table kept (id int)");
    execute("insert into kept values (1)");

    server.kill();
    server.start();

    assertThat(one("select id from kept")).isEqualTo("1");
  }

  @Test
  void serverKilledInTheMiddleOfAQueryStartsAgainAtOnce() throws Exception {
    server = started(Ports.free());
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
    server = started(Ports.free());
    OsProcess leftBehind = server.process().orElseThrow();

    PostgresServer next = new PostgresServer(home, server.port(), home.resolve("postgres.log"));
    next.start();
    server = next;

    assertThat(leftBehind.isAlive()).isFalse();
    assertThat(one("select 1")).isEqualTo("1");
  }

  @Test
  void frozenServerAnswersAfterItsThaw() throws Exception {
    server = started(Ports.free());
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
      server = server(socket.getLocalPort());

      assertThatThrownBy(server::start)
          .isInstanceOf(PortTaken.class)
          .hasMessageContaining("Port %d, which postgres needs".formatted(socket.getLocalPort()));
      assertThat(server.isAlive()).isFalse();
    }
  }

  @Test
  void provisioningAgainChangesNothing() throws SQLException {
    server = started(Ports.free());
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

  private PostgresServer started(int port) {
    PostgresServer started = server(port);
    started.start();
    return started;
  }

  private PostgresServer server(int port) {
    PostgresServer fresh = new PostgresServer(home, port, home.resolve("postgres.log"));
    fresh.diesWithThisJvm();
    return fresh;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String one(String query) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }
}
