package id.kabar.notification.ledger;

import static id.kabar.notification.ledger.DeadLetterSql.*;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Keeps the dead letters and what operators did to them. */
@Repository
public class DeadLetters {

  private static final int LONGEST_HISTORY = 200;

  private final JdbcClient jdbc;
  private final LedgerSettings settings;

  DeadLetters(JdbcClient jdbc, LedgerSettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
  }

  /** Takes in a dead letter; taking it in again changes nothing. */
  public void take(NewLetter letter) {
    Letter.Origin origin = letter.origin();
    jdbc.sql(TAKE)
        .param("reference", letter.reference())
        .param("eventId", letter.eventId())
        .param("orderId", letter.orderId())
        .param("cause", letter.cause().name())
        .param("detail", letter.detail())
        .param("attempts", letter.attempts())
        .param("firstFailedAt", utc(letter.firstFailedAt()))
        .param("lastFailedAt", utc(letter.lastFailedAt()))
        .param("originTopic", origin == null ? null : origin.topic())
        .param("originPartition", origin == null ? null : origin.partition())
        .param("originOffset", origin == null ? null : origin.offset())
        .param("originAt", origin == null ? null : utc(origin.at()))
        .param("deadLetterPartition", letter.deadLetterPartition())
        .param("deadLetterOffset", letter.deadLetterOffset())
        .param("key", letter.content().key())
        .param("payload", letter.content().payload())
        .param("headers", letter.content().headers())
        .update();
  }

  /** Returns the newest letters first. */
  public List<Letter> list(LetterFilter filter, @Nullable Long before, int limit) {
    return filtered(LIST, filter)
        .param("before", before)
        .param("limit", limit)
        .query((row, n) -> letter(row))
        .list();
  }

  /** Returns the ids of letters that wait, the oldest first. */
  public List<Long> openIds(LetterFilter filter, int limit) {
    return filtered(OPEN_IDS, filter.in(LetterState.OPEN))
        .param("limit", limit)
        .query(Long.class)
        .list();
  }

  /** Counts what the filter matches. */
  public long count(LetterFilter filter) {
    return filtered(COUNT, filter).query(Long.class).single();
  }

  private JdbcClient.StatementSpec filtered(String sql, LetterFilter filter) {
    return jdbc.sql(sql)
        .param("cause", filter.cause() == null ? null : filter.cause().name())
        .param("state", filter.state() == null ? null : filter.state().name())
        .param("orderId", filter.orderId())
        .param("since", filter.since() == null ? null : utc(filter.since()))
        .param("until", filter.until() == null ? null : utc(filter.until()))
        .param("ids", filter.ids() == null ? null : ReplayJobs.array(filter.ids()));
  }

  /** Returns one letter. */
  public Optional<Letter> find(long id) {
    return jdbc.sql(FIND).param("id", id).query((row, n) -> letter(row)).optional();
  }

  /** Returns these letters, the oldest failure first. */
  public List<Letter> all(List<Long> ids) {
    return jdbc.sql(ALL).param("ids", ReplayJobs.array(ids)).query((row, n) -> letter(row)).list();
  }

  /** Returns the record of a letter. */
  public Letter.Content content(long id) {
    return jdbc.sql(CONTENT)
        .param("id", id)
        .query(
            (row, n) ->
                new Letter.Content(
                    row.getBytes("record_key"), row.getBytes("payload"), row.getString("headers")))
        .single();
  }

  /** Counts letters by cause and state. */
  public Map<Cause, Map<LetterState, Long>> causes() {
    Map<Cause, Map<LetterState, Long>> counts = new LinkedHashMap<>();
    jdbc.sql(CAUSES)
        .query(
            row -> {
              counts
                  .computeIfAbsent(
                      Cause.valueOf(row.getString("cause")), c -> new LinkedHashMap<>())
                  .put(LetterState.valueOf(row.getString("state")), row.getLong("letters"));
            });
    return counts;
  }

  /**
   * Locks a letter until the end of the caller's transaction.
   *
   * @param lease how long the caller may be silent before it loses the lock
   * @return false if it does not exist, or somebody else is at it right now
   */
  public boolean lock(long id, Duration lease) {
    return jdbc.sql(LOCK)
        .param("id", id)
        .param("lease", lease.toMillis() + "ms")
        .query((row, n) -> row.getLong("id"))
        .optional()
        .isPresent();
  }

  /** How a replay counts. */
  public enum Round {
    /** A person wanted it. */
    REPLAY,
    /** Nobody did: the provider is back. */
    REDRIVE,
    /** It is to find out whether the provider is back, and the letter shall not suffer from it. */
    PROBE
  }

  /** Notes that a letter has gone back to its topic. */
  public void replayed(long id, Round round) {
    jdbc.sql(REPLAYED)
        .param("id", id)
        .param("replays", round == Round.REPLAY ? 1 : 0)
        .param("redrives", round == Round.REDRIVE ? 1 : 0)
        .update();
  }

  /** Closes a letter whose email was sent after all. */
  public void resolve(long id) {
    jdbc.sql(SETTLE).param("id", id).param("state", LetterState.RESOLVED.name()).update();
  }

  /** Closes a letter whose email need not be sent. */
  public void discard(long id) {
    jdbc.sql(SETTLE).param("id", id).param("state", LetterState.DISCARDED.name()).update();
  }

  /** Closes those of the letters that are open and that nobody is at; returns how many. */
  public int discard(List<Long> ids, String operator, String reason) {
    return jdbc.sql(DISCARD_MANY)
        .param("ids", ReplayJobs.array(ids))
        .param("operator", operator)
        .param("reason", reason)
        .query(Integer.class)
        .single();
  }

  /** Lets an event be sent although an attempt of unknown outcome is past the provider's memory. */
  public void forgetUnknownAttempt(UUID eventId) {
    jdbc.sql(FORGET_UNKNOWN_ATTEMPT).param("eventId", eventId).update();
  }

  /** Adds a line to the audit. */
  public void audit(AuditLine line) {
    jdbc.sql(AUDIT)
        .param("operator", line.operator())
        .param("action", line.action().name())
        .param("letterId", line.letterId())
        .param("filter", line.filter())
        .param("count", line.count())
        .param("reason", line.reason())
        .param("job", line.job())
        .update();
  }

  /** Returns what was done to a letter, the oldest act first; of very many the latest. */
  public List<AuditLine> history(long id) {
    return jdbc.sql(HISTORY)
        .param("id", id)
        .param("limit", LONGEST_HISTORY)
        .query(
            (row, n) ->
                new AuditLine(
                    instant(row, "at"),
                    row.getString("operator"),
                    AuditLine.Action.valueOf(row.getString("action")),
                    id,
                    row.getString("filter"),
                    row.getInt("count"),
                    row.getString("reason"),
                    row.getObject("job_id", Long.class)))
        .list();
  }

  /** Closes letters that were taken in at the very moment their event was sent. */
  public int resolveSent() {
    return jdbc.sql(RESOLVE_SENT).update();
  }

  /** Returns what waits for somebody. */
  public OpenLetters open() {
    return jdbc.sql(OPEN)
        .query(
            (row, n) ->
                new OpenLetters(row.getLong("letters"), Duration.ofMillis(row.getLong("oldest"))))
        .single();
  }

  /** Forgets one batch of what was settled long ago; returns how many. */
  int prune() {
    return jdbc.sql(PRUNE)
        .param("retention", settings.settledLetterRetention().toMillis() + " milliseconds")
        .param("batch", settings.pruneBatch())
        .update();
  }

  private static Letter letter(ResultSet row) throws SQLException {
    String topic = row.getString("origin_topic");
    Letter.Origin origin =
        topic == null
            ? null
            : new Letter.Origin(
                topic,
                row.getInt("origin_partition"),
                row.getLong("origin_offset"),
                instant(row, "origin_at"));
    Long unknownFor = row.getObject("unknown_for_millis", Long.class);
    return new Letter(
        row.getLong("id"),
        row.getString("reference"),
        row.getObject("event_id", UUID.class),
        row.getObject("order_id", UUID.class),
        Cause.valueOf(row.getString("cause")),
        row.getString("detail"),
        LetterState.valueOf(row.getString("state")),
        row.getInt("attempts"),
        row.getInt("replays"),
        row.getInt("redrives"),
        instant(row, "first_failed_at"),
        instant(row, "last_failed_at"),
        origin,
        row.getBoolean("event_sent"),
        unknownFor == null ? null : Duration.ofMillis(unknownFor));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
