package id.kabar.testservers;

import id.kabar.localstack.servers.Provisioning;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One PostgreSQL 18 per JVM, started at first use: a container where a Docker engine answers, an
 * embedded process elsewhere; {@code -Dkabar.test-servers=embedded|containers} decides. It syncs
 * every commit, as in production. It is gone when the JVM is.
 */
public final class TestPostgres {

  private static final class Shared {
    static final TestPostgres INSTANCE = new TestPostgres(Mode.decision());
  }

  private final PostgresBackend backend;
  private final AtomicInteger databases = new AtomicInteger();

  private TestPostgres(Mode.Decision decision) {
    backend =
        switch (decision.mode()) {
          case EMBEDDED -> new EmbeddedPostgres();
          case CONTAINERS -> new ContainerPostgres();
        };
    asSuperuser(Provisioning::roles);
    System.out.println(decision.announce("PostgreSQL", admin().jdbcUrl()));
  }

  public static TestPostgres shared() {
    return Shared.INSTANCE;
  }

  /**
   * A new, empty database.
   *
   * @param name the start of its name; a number is added
   * @param owner one of order_service, outbox_relay, notification_service; its password is its
   *     name. A database of order_service lets the relay in too, as in production.
   */
  public Database freshDatabase(String name, String owner) {
    String database = name + "_" + databases.incrementAndGet();
    asSuperuser(
        connection -> {
          if (owner.equals("order_service")) {
            Provisioning.outboxDatabase(connection, database, owner);
          } else {
            Provisioning.database(connection, database, owner);
          }
        });
    return new Database(backend.jdbcUrl(database), owner, owner);
  }

  /** The superuser on the database {@code postgres}. */
  public Database admin() {
    return backend.admin();
  }

  /** For tests of an outage; the test that stops it starts it again. */
  public void stop() {
    backend.stop();
  }

  /** On the same port, with the same data; returns when it serves. */
  public void start() {
    backend.start();
  }

  private interface SqlAction {
    void on(Connection connection) throws SQLException;
  }

  private void asSuperuser(SqlAction action) {
    try (Connection connection = admin().connect()) {
      action.on(connection);
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL could not be prepared for the test", e);
    }
  }
}
