package id.kabar.testservers;

import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.PostgresServer;

final class EmbeddedPostgres implements PostgresBackend {

  private final PostgresServer server =
      Embedded.started(
          "postgres", home -> new PostgresServer(home, Ports.free(), home.resolve("postgres.log")));

  @Override
  public String jdbcUrl(String database) {
    return server.jdbcUrl(database);
  }

  @Override
  public Database admin() {
    return new Database(jdbcUrl("postgres"), PostgresServer.SUPERUSER, server.superuserPassword());
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void stop() {
    server.stop();
  }
}
