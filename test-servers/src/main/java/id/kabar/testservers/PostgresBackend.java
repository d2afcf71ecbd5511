package id.kabar.testservers;

/** Where the PostgreSQL of the tests runs. Stopping and starting keeps the port and the data. */
sealed interface PostgresBackend permits EmbeddedPostgres, ContainerPostgres {

  String jdbcUrl(String database);

  /** The superuser on the database {@code postgres}. */
  Database admin();

  void start();

  void stop();
}
