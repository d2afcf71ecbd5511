package id.kabar.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A session that hears the doorbell, if nothing in between keeps it from hearing. */
final class DoorbellLine implements Doorbell.Line {

  private final Connection connection;

  DoorbellLine(Connection connection) {
    this.connection = connection;
  }

  @Override
  public void listen(String channel) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("listen " + statement.enquoteIdentifier(channel, true));
    }
  }

  @Override
  public List<Doorbell.Ring> hear(Duration longest) throws SQLException {
    int millis = Math.max(1, (int) longest.toMillis());
    PGNotification[] rings = connection.unwrap(PGConnection.class).getNotifications(millis);
    return rings == null
        ? List.of()
        : Arrays.stream(rings)
            .map(ring -> new Doorbell.Ring(ring.getName(), ring.getParameter()))
            .toList();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
