package id.kabar.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** The outbox as a worker's session sees it; the statements are {@link OutboxSql}. */
final class Outbox implements AutoCloseable {

  /** How many events that are not due a round looks over in a bucket, beside those it takes. */
  static final int LOOK_OVER = 1000;

  /** Payloads up to this size come with their row, larger ones when their turn has come. */
  private static final int THIN = 4096;

  private final Connection connection;

  /** On a connection that somebody else opens and closes. */
  Outbox(Connection connection) {
    this.connection = connection;
  }

  /**
   * A session of a worker's own.
   *
   * @param relay told to the database, which counts the relays by it
   */
  static Outbox open(JdbcConnectionDetails database, RelaySettings.Timeouts timeouts, String relay)
      throws SQLException {
    return new Outbox(DatabaseSession.open(database, timeouts, "outbox-relay-worker@" + relay));
  }

  /**
   * Locks up to {@code buckets} buckets with due events, and reads those events: the transaction
   * stays open and holds the locks until {@link #commit()} or {@link #rollback()}.
   *
   * @param starts where each bucket starts
   * @param size events at most, divided over the buckets
   * @param bytes payload at most, divided likewise, though a bucket always yields one event
   */
  Claim claim(Watermarks.Starts starts, int buckets, int size, long bytes) throws SQLException {
    connection.setAutoCommit(false);
    short[] locked = lock(starts, buckets);
    if (locked.length == 0) {
      return Claim.NOTHING;
    }
    int share = Math.max(1, size / locked.length);
    Claim.Builder claim = new Claim.Builder(share, bytes / locked.length);
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.READ)) {
      statement.setInt(1, THIN);
      statement.setObject(2, locked);
      statement.setLong(3, starts.lookOver() + share);
      statement.setObject(4, starts.released());
      statement.setObject(5, starts.positions());
      statement.setLong(6, starts.lookOver() + share);
      statement.setInt(7, share);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          int bucket = rows.getInt(1);
          claim.bucket(bucket, rows.getLong(2), rows.getLong(3));
          long position = rows.getLong(4);
          if (position > 0 && claim.takes(position, rows.getInt(10))) {
            claim.add(event(bucket, position, rows));
          }
        }
      }
    }
    return claim.build(locked.length == buckets);
  }

  private short[] lock(Watermarks.Starts starts, int buckets) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.LOCK)) {
      statement.setObject(1, starts.released());
      statement.setObject(2, starts.positions());
      statement.setLong(3, starts.lookOver());
      statement.setLong(4, starts.lookOver());
      statement.setInt(5, buckets);
      try (ResultSet rows = statement.executeQuery()) {
        short[] locked = new short[buckets];
        int count = 0;
        while (rows.next()) {
          locked[count++] = rows.getShort(1);
        }
        return Arrays.copyOf(locked, count);
      }
    }
  }

  private Event event(int bucket, long position, ResultSet row) throws SQLException {
    byte[] payload = row.getBytes(9);
    return new Event(
        bucket,
        position,
        row.getObject(5, UUID.class),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        payload == null ? largePayload(bucket, position) : payload,
        row.getString(11),
        row.getObject(12, OffsetDateTime.class).toInstant());
  }

  private byte[] largePayload(int bucket, long position) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.PAYLOAD)) {
      statement.setInt(1, bucket);
      statement.setLong(2, position);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBytes(1);
      }
    }
  }

  /**
   * Moves the confirmed events, and no others, to the archive.
   *
   * @throws SettlementMismatch when not exactly these events were there; nothing may be committed
   */
  void settle(List<Verdicts.Confirmed> confirmed, boolean keepPayload) throws SQLException {
    if (confirmed.isEmpty()) {
      return;
    }
    short[] buckets = new short[confirmed.size()];
    long[] positions = new long[confirmed.size()];
    int[] partitions = new int[confirmed.size()];
    long[] offsets = new long[confirmed.size()];
    for (int i = 0; i < buckets.length; i++) {
      Verdicts.Confirmed one = confirmed.get(i);
      buckets[i] = (short) one.event().bucket();
      positions[i] = one.event().position();
      partitions[i] = one.partition();
      offsets[i] = one.offset();
    }
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.SETTLE)) {
      statement.setObject(1, buckets);
      statement.setObject(2, positions);
      statement.setObject(3, partitions);
      statement.setObject(4, offsets);
      statement.setBoolean(5, keepPayload);
      int settled = statement.executeUpdate();
      if (settled != buckets.length) {
        throw new SettlementMismatch(buckets.length, settled);
      }
    }
  }

  /**
   * Counts a refusal of each event; it is tried again later, or parked when hopeless or refused for
   * the given number of times.
   *
   * @return the ids of those that are parked now
   */
  List<UUID> refuse(List<Verdicts.Refused> refused, int attempts) throws SQLException {
    List<UUID> parked = new ArrayList<>();
    if (refused.isEmpty()) {
      return parked;
    }
    short[] buckets = new short[refused.size()];
    long[] positions = new long[refused.size()];
    String[] errors = new String[refused.size()];
    boolean[] hopeless = new boolean[refused.size()];
    for (int i = 0; i < buckets.length; i++) {
      Verdicts.Refused one = refused.get(i);
      buckets[i] = (short) one.event().bucket();
      positions[i] = one.event().position();
      errors[i] = one.failure().reason().replace('\0', ' ');
      hopeless[i] = one.failure().fate() == Failure.Fate.PARK;
    }
    try (PreparedStatement statement = connection.prepareStatement(OutboxSql.REFUSE)) {
      statement.setInt(1, attempts);
      statement.setObject(2, buckets);
      statement.setObject(3, positions);
      statement.setObject(4, errors);
      statement.setObject(5, hopeless);
      int counted = 0;
      try (ResultSet rows = statement.executeQuery()) {
        for (; rows.next(); counted++) {
          if (rows.getBoolean(2)) {
            parked.add(rows.getObject(1, UUID.class));
          }
        }
      }
      if (counted != buckets.length) {
        throw new SettlementMismatch(buckets.length, counted);
      }
      return parked;
    }
  }

  void commit() throws SQLException {
    connection.commit();
  }

  void rollback() throws SQLException {
    connection.rollback();
  }

  /** Ends the session from another thread, whatever it is waiting for. */
  void abort() throws SQLException {
    connection.abort(Runnable::run);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /**
   * The outbox did not hold exactly what this session believed to own; its work is not committed.
   */
  static final class SettlementMismatch extends SQLException {
    SettlementMismatch(int expected, int found) {
      super("%d events were to be settled, %d were found".formatted(expected, found));
    }
  }
}
