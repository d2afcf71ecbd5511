package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.localstack.servers.Provisioning;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The scripts in databases make what the local stack makes: the same roles, databases and rights.
 */
@Order(2)
class DatabasesIT {

  private static final String PASSWORD = "of-this-test";

  private static final String DATABASES =
      """
      select datname, pg_get_userbyid(datdba), datacl::text from pg_database
      where datname = '%s'
      """;

  private static final String ROLES =
      """
      select rolname, rolsuper, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls
      from pg_roles where rolname in (%s) order by rolname
      """;

  @ParameterizedTest
  @CsvSource({
    "orders, 'order_service, outbox_relay'",
    "notifications, notification_service",
  })
  void scriptsMakeWhatTheLocalStackMakes(String database, String roles) throws SQLException {
    Docker.assumeItAnswers();
    String quoted = "'" + roles.replace(", ", "', '") + "'";
    try (Server byScript = Server.withScript(database);
        Server byLocalStack = Server.empty()) {
      try (Connection connection = byLocalStack.connect("postgres", "postgres")) {
        Provisioning.all(connection);
      }
      assertThat(byScript.rows(DATABASES.formatted(database)))
          .hasSize(1)
          .isEqualTo(byLocalStack.rows(DATABASES.formatted(database)));
      assertThat(byScript.rows(ROLES.formatted(quoted)))
          .hasSize(roles.split(", ").length)
          .isEqualTo(byLocalStack.rows(ROLES.formatted(quoted)));
    }
  }

  @Test
  void eachRoleEntersWithItsOwnPasswordAndOnlyItsDatabase() throws SQLException {
    Docker.assumeItAnswers();
    try (Server server = Server.withScript("orders")) {
      for (String role : List.of("order_service", "outbox_relay")) {
        try (Connection connection = server.connect(role, "orders")) {
          assertThat(connection.isValid(1)).isTrue();
        }
      }
      assertThat(server.rows("select has_database_privilege('public', 'orders', 'connect')::text"))
          .containsExactly(List.of("false"));
    }
  }

  /** A PostgreSQL of its own. */
  private record Server(String container) implements AutoCloseable {

    static Server empty() {
      return start(List.of());
    }

    static Server withScript(String database) {
      return start(
          List.of(
              "--volume=%s:/docker-entrypoint-initdb.d/%s.sql:ro"
                  .formatted(
                      Checkout.ROOT.resolve("databases/%s.sql".formatted(database)), database),
              "--env=ORDER_SERVICE_PASSWORD=" + PASSWORD,
              "--env=OUTBOX_RELAY_PASSWORD=" + PASSWORD,
              "--env=NOTIFICATION_SERVICE_PASSWORD=" + PASSWORD));
    }

    private static Server start(List<String> options) {
      List<String> line =
          new ArrayList<>(List.of("docker", "run", "--detach", "--publish=127.0.0.1::5432"));
      line.add("--env=POSTGRES_PASSWORD=" + PASSWORD);
      line.addAll(options);
      line.add(ComposeFile.image("orders-db"));
      Server server = new Server(Command.of(line).run());
      await("PostgreSQL is ready")
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  Docker.command("exec", server.container, "pg_isready", "--host=127.0.0.1")
                      .tryToRun()
                      .succeeded());
      return server;
    }

    Connection connect(String user, String database) throws SQLException {
      return DriverManager.getConnection(
          "jdbc:postgresql://localhost:%d/%s"
              .formatted(Docker.publishedPort(container, 5432), database),
          user,
          PASSWORD);
    }

    List<List<String>> rows(String query) throws SQLException {
      try (Connection connection = connect("postgres", "postgres");
          Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(query)) {
        List<List<String>> rows = new ArrayList<>();
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
            row.add(result.getString(column));
          }
          rows.add(row);
        }
        return rows;
      }
    }

    @Override
    public void close() {
      Docker.run("rm", "--force", "--volumes", container);
    }
  }
}
