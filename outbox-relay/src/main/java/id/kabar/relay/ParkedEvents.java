package id.kabar.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/**
 * Events that wait for an operator's word; each action leaves an audit line in its own transaction.
 * A round that holds the bucket of such an event ends first.
 */
final class ParkedEvents {

  /**
   * A parked event as an operator sees it; its payload stays in the outbox.
   *
   * @param position where the list goes on
   */
  record Parked(
      UUID id,
      long position,
      String aggregateType,
      String aggregateId,
      String eventType,
      Instant createdAt,
      int attempts,
      Instant parkedAt,
      String error) {}

  /**
   * Which parked events are meant; what is null does not matter.
   *
   * @param error a part of the reason
   */
  record Selection(
      @Nullable UUID id,
      @Nullable String eventType,
      @Nullable String aggregateId,
      @Nullable String error) {

    boolean isEverything() {
      return id == null && eventType == null && aggregateId == null && error == null;
    }
  }

  /** What an operator may do with parked events. */
  enum Action {
    /** Sent again from the first attempt. */
    RETRY(OperatorSql.RETRY_PARKED),
    /** Never sent; its aggregate goes on without it. */
    DISCARD(OperatorSql.DISCARD_PARKED);

    private final String sql;

    Action(String sql) {
      this.sql = sql;
    }
  }

  private final JdbcConnectionDetails database;
  private final RelaySettings settings;

  ParkedEvents(JdbcConnectionDetails database, RelaySettings settings) {
    this.database = database;
    this.settings = settings;
  }

  /** In the order of their positions, after the given one. */
  List<Parked> list(Selection selection, long after, int limit) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(OperatorSql.PARKED)) {
      statement.setLong(1, after);
      select(statement, 2, selection);
      statement.setInt(10, limit);
      try (ResultSet rows = statement.executeQuery()) {
        List<Parked> parked = new ArrayList<>();
        while (rows.next()) {
          parked.add(parked(rows));
        }
        return parked;
      }
    }
  }

  private static Parked parked(ResultSet row) throws SQLException {
    return new Parked(
        row.getObject(1, UUID.class),
        row.getLong(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getObject(6, OffsetDateTime.class).toInstant(),
        row.getInt(7),
        row.getObject(8, OffsetDateTime.class).toInstant(),
        row.getString(9));
  }

  /** How many would be meant. */
  int count(Selection selection) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(OperatorSql.COUNT_PARKED)) {
      select(statement, 1, selection);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  /** Returns how many it was done to. */
  int act(Action action, Selection selection, String operator, @Nullable String reason)
      throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      try (Statement turn = connection.createStatement()) {
        turn.execute(OperatorSql.TURN);
      }
      int count;
      try (PreparedStatement statement = connection.prepareStatement(action.sql)) {
        select(statement, 1, selection);
        count = statement.executeUpdate();
      }
      try (PreparedStatement audit = connection.prepareStatement(OperatorSql.AUDIT)) {
        audit.setString(1, operator);
        audit.setString(2, action.name().toLowerCase(Locale.ROOT));
        audit.setString(3, selection.toString());
        audit.setInt(4, count);
        audit.setString(5, reason);
        audit.executeUpdate();
      }
      try (Statement ring = connection.createStatement()) {
        ring.execute(OperatorSql.RING);
      }
      connection.commit();
      return count;
    }
  }

  private Connection connect() throws SQLException {
    return DatabaseSession.open(database, settings.timeouts(), "outbox-relay-operator");
  }

  private static void select(PreparedStatement statement, int first, Selection selection)
      throws SQLException {
    int index = first;
    for (int twice = 0; twice < 2; twice++) {
      statement.setObject(index++, selection.id(), Types.OTHER);
    }
    for (String text :
        new @Nullable String[] {
          selection.eventType(), selection.aggregateId(), selection.error()
        }) {
      statement.setString(index++, text);
      statement.setString(index++, text);
    }
  }
}
