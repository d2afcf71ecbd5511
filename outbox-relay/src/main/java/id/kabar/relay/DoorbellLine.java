package id.kabar.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A session that hears the doorbell. */
final class DoorbellLine implements AutoCloseable {

  private final Connection connection;

  DoorbellLine(Connection connection) {
    this.connection = connection;
  }

  void listen() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(OutboxSql.LISTEN);
    }
  }

  /** Waits for the doorbell; false when it stayed silent. */
  boolean rung(Duration longest) throws SQLException {
    int millis = Math.max(1, (int) longest.toMillis());
    PGNotification[] rings = connection.unwrap(PGConnection.class).getNotifications(millis);
    return rings != null && rings.length > 0;
  }

  /**
   * @throws SQLException when the session is dead without having said so
   */
  void checkAlive() throws SQLException {
    if (!connection.isValid(5)) {
      throw new SQLException("the session does not answer");
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
