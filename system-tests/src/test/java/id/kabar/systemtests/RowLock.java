package id.kabar.systemtests;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Rows locked by a transaction of the test, which holds a service at the very statement that wants
 * to change them.
 */
final class RowLock implements AutoCloseable {

  // pg_locks and not pg_stat_activity, which stays as it was when the transaction first looked.
  private static final String WAITING =
      """
      select count(distinct pid) from pg_locks
      where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))
      """;

  private static final String END_WAITING =
      """
      select count(pg_terminate_backend(pid)) from pg_locks
      where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))
      """;

  private final Connection connection;

  private RowLock(Connection connection) {
    this.connection = connection;
  }

  static RowLock on(Connection connection, String select) {
    try {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement();
          ResultSet locked = statement.executeQuery(select)) {
        if (!locked.next()) {
          throw new IllegalStateException("There is nothing to lock: " + select);
        }
      }
      return new RowLock(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(select, e);
    }
  }

  /** Returns when somebody waits for the lock. */
  void awaitVictim() {
    await("somebody waits for the lock")
        .atMost(Duration.ofSeconds(30))
        .until(() -> number(WAITING) > 0);
  }

  /**
   * Ends the sessions that wait, as if the server had noticed at once that their client is dead:
   * what they wanted to change stays as it was.
   */
  void endVictims() {
    number(END_WAITING);
  }

  @Override
  public void close() {
    try (connection) {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException("the lock's session has ended", e);
    }
  }

  private long number(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql.strip(), e);
    }
  }
}
