package id.kabar.localstack.history;

import id.kabar.localstack.history.History.Audit;
import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.Order;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.ProcessedEvent;
import id.kabar.localstack.history.History.Stage;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one of Kabar's databases. */
final class Tables implements AutoCloseable {

  private static final String ORDERS =
      """
      select id, status, total_amount, created_at, paid_at
      from orders
      """;

  // One statement, so that an event which is being settled is seen once and not in neither place.
  // What an operator put back from the archive is told of by its first publication.
  private static final String EVENTS =
      """
      select id, position, aggregate_id, event_type, payload, created_at,
             attempts, last_error, parked_at, null as published_at, null as partition, null as "offset"
      from outbox_event
      where replayed_at is null
      union all
      select id, position, aggregate_id, event_type, payload, created_at,
             null, null, null, published_at, partition, "offset"
      from outbox_archive
      where replayed_at is null
      order by position
      """;

  private static final String PROCESSED =
      """
      select event_id, state, sent_at
      from processed_event
      """;

  private static final String DEAD_LETTERS =
      """
      select event_id, state, cause, last_failed_at
      from dead_letter
      """;

  private static final String OUTBOX_AUDIT =
      """
      select at, 'outbox_audit' as "where", operator, action, count
      from outbox_audit
      order by at
      """;

  private static final String DEAD_LETTER_AUDIT =
      """
      select at, 'dead_letter_audit' as "where", operator, action, count
      from dead_letter_audit
      order by at
      """;

  private final Connection connection;

  Tables(String jdbcUrl, Sources sources) {
    try {
      connection = DriverManager.getConnection(jdbcUrl, sources.user(), sources.password());
    } catch (SQLException e) {
      throw new IllegalStateException("no connection to " + jdbcUrl, e);
    }
  }

  List<Order> orders() {
    return rows(
        ORDERS,
        row ->
            new Order(
                row.getString("id"),
                row.getString("status"),
                row.getLong("total_amount"),
                timeOf(row, "created_at"),
                instant(row, "paid_at")));
  }

  List<OutboxEvent> events() {
    return rows(
        EVENTS,
        row ->
            new OutboxEvent(
                row.getString("id"),
                row.getLong("position"),
                row.getString("aggregate_id"),
                row.getString("event_type"),
                row.getString("payload"),
                timeOf(row, "created_at"),
                stage(row)));
  }

  List<ProcessedEvent> processed() {
    return rows(
        PROCESSED,
        row ->
            new ProcessedEvent(
                row.getString("event_id"), row.getString("state"), instant(row, "sent_at")));
  }

  List<DeadLetter> deadLetters() {
    return rows(
        DEAD_LETTERS,
        row ->
            new DeadLetter(
                row.getString("event_id"),
                row.getString("state"),
                row.getString("cause"),
                instant(row, "last_failed_at")));
  }

  List<Audit> outboxAudit() {
    return rows(OUTBOX_AUDIT, Tables::audit);
  }

  List<Audit> deadLetterAudit() {
    return rows(DEAD_LETTER_AUDIT, Tables::audit);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException("could not leave the database", e);
    }
  }

  private static Audit audit(ResultSet row) throws SQLException {
    return new Audit(
        timeOf(row, "at"),
        row.getString("where"),
        row.getString("operator"),
        row.getString("action"),
        row.getInt("count"));
  }

  private static Stage stage(ResultSet row) throws SQLException {
    Instant publishedAt = instant(row, "published_at");
    if (publishedAt != null) {
      return new Stage.Archived(publishedAt, row.getInt("partition"), row.getLong("offset"));
    }
    int attempts = row.getInt("attempts");
    return row.getTimestamp("parked_at") == null
        ? new Stage.Pending(attempts)
        : new Stage.Parked(attempts, String.valueOf(row.getString("last_error")));
  }

  private static Instant timeOf(ResultSet row, String column) throws SQLException {
    return row.getTimestamp(column).toInstant();
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    Timestamp time = row.getTimestamp(column);
    return time == null ? null : time.toInstant();
  }

  private interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private <T> List<T> rows(String sql, Reader<T> reader) {
    try (var statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(reader.read(rows));
      }
      return all;
    } catch (SQLException e) {
      throw new IllegalStateException("could not read: " + sql.strip(), e);
    }
  }
}
