package id.kabar.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;

/** What is asked of the outbox and done for it beside publishing. */
final class Upkeep {

  private final Connection connection;

  /** On a connection that somebody else opens and closes. */
  Upkeep(Connection connection) {
    this.connection = connection;
  }

  /** The last position that any transaction has drawn. */
  long lastPosition() throws SQLException {
    return number(OutboxSql.LAST_POSITION);
  }

  /** A transaction id above all that were given so far. */
  long newTransaction() throws SQLException {
    return number(OutboxSql.NEW_TRANSACTION);
  }

  long oldestRunningTransaction() throws SQLException {
    return number(OutboxSql.OLDEST_RUNNING_TRANSACTION);
  }

  private long number(String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Measures the outbox by a few short index scans, however many events it holds. */
  Depth depth(Watermarks.Starts starts) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.DEPTH)) {
      statement.setObject(1, starts.positions());
      statement.setObject(2, starts.released());
      statement.setObject(3, starts.positions());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        Duration oldest = Duration.ofMillis((long) (row.getDouble(2) * 1000));
        OffsetDateTime paused = row.getObject(4, OffsetDateTime.class);
        return new Depth(
            row.getLong(1),
            row.getLong(3),
            oldest,
            paused == null ? null : paused.toInstant(),
            row.getLong(5),
            row.getInt(6));
      }
    }
  }

  /** What the outbox depends on beside itself. */
  Surroundings surroundings() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.SURROUNDINGS);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return new Surroundings(row.getLong(1), row.getInt(2));
    }
  }

  /** Puts the next events of a replay back into the outbox; returns how many. */
  int replayStep() throws SQLException {
    return (int) number(OutboxSql.REPLAY_STEP);
  }

  /** Rings a bell of the database. */
  void ring(String channel, String word) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.RING)) {
      statement.setString(1, channel);
      statement.setString(2, word);
      statement.execute();
    }
  }

  /** Makes the archive's partitions for the days ahead; returns how many are new. */
  int extendArchive(int daysAhead) throws SQLException {
    return days(OutboxSql.EXTEND_ARCHIVE, daysAhead);
  }

  /** Drops what is older than so many days from the archive; returns how many partitions went. */
  int pruneArchive(int daysKept) throws SQLException {
    return days(OutboxSql.PRUNE_ARCHIVE, daysKept);
  }

  private int days(String sql, int days) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, days);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }
}
