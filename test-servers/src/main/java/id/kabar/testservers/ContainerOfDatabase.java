package id.kabar.testservers;

import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * One database of the shared container, for {@code @ServiceConnection}: answers with the
 * provisioned role where the container itself would answer with its superuser. Its life is that of
 * the shared container.
 */
class ContainerOfDatabase extends PostgreSQLContainer {

  private final Database database;

  ContainerOfDatabase(Database database) {
    super(ContainerPostgres.IMAGE);
    this.database = database;
  }

  @Override
  public String getJdbcUrl() {
    return database.jdbcUrl();
  }

  @Override
  public String getUsername() {
    return database.user();
  }

  @Override
  public String getPassword() {
    return database.password();
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public boolean isRunning() {
    return true;
  }
}
