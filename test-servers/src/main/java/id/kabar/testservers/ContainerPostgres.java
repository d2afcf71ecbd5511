package id.kabar.testservers;

import static org.awaitility.Awaitility.await;

import id.kabar.localstack.servers.Ports;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

final class ContainerPostgres implements PostgresBackend {

  static final String IMAGE = "postgres:18-alpine";

  private final PostgreSQLContainer container =
      new PostgreSQLContainer(IMAGE)
          .withUsername("postgres")
          .withPassword("postgres")
          .withDatabaseName("postgres")
          // Testcontainers would switch fsync off
          .withCommand(
              "postgres",
              "-c",
              "fsync=on",
              "-c",
              "synchronous_commit=on",
              "-c",
              "max_connections=200");

  ContainerPostgres() {
    // A port of our own choice stays the same over a restart.
    container.setPortBindings(
        List.of("%d:%d".formatted(Ports.free(), PostgreSQLContainer.POSTGRESQL_PORT)));
    container.start();
  }

  @Override
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://%s:%d/%s"
        .formatted(
            container.getHost(),
            container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
            database);
  }

  @Override
  public Database admin() {
    return new Database(jdbcUrl("postgres"), container.getUsername(), container.getPassword());
  }

  @Override
  public void start() {
    DockerClientFactory.lazyClient().startContainerCmd(container.getContainerId()).exec();
    await().atMost(Duration.ofMinutes(1)).until(this::answers);
  }

  @Override
  public void stop() {
    DockerClientFactory.lazyClient().stopContainerCmd(container.getContainerId()).exec();
  }

  private boolean answers() {
    try (var connection = admin().connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }
}
