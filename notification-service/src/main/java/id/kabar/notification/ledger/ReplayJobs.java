package id.kabar.notification.ledger;

import static id.kabar.notification.ledger.ReplayJobSql.*;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Keeps the jobs that send letters again, their pace and their progress. */
@Repository
public class ReplayJobs {

  private final JdbcClient jdbc;
  private final LedgerSettings settings;

  ReplayJobs(JdbcClient jdbc, LedgerSettings settings) {
    this.jdbc = jdbc;
    this.settings = settings;
  }

  /**
   * Makes a job of these letters, in this order.
   *
   * @return its id; nothing if all of them wait in other jobs
   */
  public OptionalLong create(ReplayJob.Request request, List<Long> letters) {
    return jdbc.sql(CREATE)
        .param("ids", array(letters))
        .param("by", request.by())
        .param("reason", request.reason())
        .param("filter", request.filter())
        .param("perSecond", request.perSecond())
        .query(Long.class)
        .optional()
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  /**
   * Which letters are sent again without anybody asking.
   *
   * @param topic they come from
   * @param rounds that count, after which a letter is left to people
   * @param pause after the first round that came back, doubled with every further one
   * @param longestPause between two rounds
   * @param safelyKnown how long an attempt of unknown outcome may be repeated
   * @param limit letters at once
   */
  public record Stranded(
      String topic,
      int rounds,
      Duration pause,
      Duration longestPause,
      Duration safelyKnown,
      int limit) {}

  /** Makes a job of what an outage has left, unless one runs; returns how many letters it has. */
  public int createRedrive(ReplayJob.Request request, Stranded stranded) {
    return jdbc.sql(CREATE_REDRIVE)
        .param("by", request.by())
        .param("filter", request.filter())
        .param("perSecond", request.perSecond())
        .param("topic", stranded.topic())
        .param("rounds", stranded.rounds())
        .param("pause", interval(stranded.pause()))
        .param("longestPause", interval(stranded.longestPause()))
        .param("safelyKnown", interval(stranded.safelyKnown()))
        .param("limit", stranded.limit())
        .query(Integer.class)
        .optional()
        .orElse(0);
  }

  /**
   * Locks the job whose turn is next, until the end of the caller's transaction.
   *
   * @param lease how long the caller may be silent before it loses the lock
   */
  public Optional<ReplayJob.Due> nextDue(Duration lease) {
    return jdbc.sql(NEXT_DUE)
        .param("lease", lease.toMillis() + "ms")
        .query((row, n) -> new ReplayJob.Due(job(row), Duration.ofMillis(row.getLong("due_in"))))
        .optional();
  }

  /** Returns the first letter the job has not come to. */
  public Optional<ReplayJob.Item> nextItem(long job) {
    return jdbc.sql(NEXT_ITEM)
        .param("job", job)
        .query((row, n) -> new ReplayJob.Item(row.getInt("position"), row.getLong("letter_id")))
        .optional();
  }

  /**
   * Notes what became of a letter.
   *
   * @param refusal why it was left where it is; null if it was replayed
   * @param interval until the next one, if it was replayed
   */
  public void settle(long job, int position, @Nullable String refusal, Duration interval) {
    jdbc.sql(SETTLE_ITEM)
        .param("job", job)
        .param("position", position)
        .param("refusal", refusal)
        .param("interval", interval(interval))
        .update();
  }

  /** Lets a job wait for something. */
  public void postpone(long job, Duration pause, String waitsFor) {
    jdbc.sql(POSTPONE)
        .param("job", job)
        .param("pause", interval(pause))
        .param("waitsFor", waitsFor)
        .update();
  }

  /** Ends a job that has come to all of its letters. */
  public void done(long job) {
    end(job, ReplayJob.State.DONE, null);
  }

  /** Ends a job before it has; false if it had ended. */
  public boolean cancel(long job, String by) {
    return end(job, ReplayJob.State.CANCELLED, by);
  }

  private boolean end(long job, ReplayJob.State state, @Nullable String by) {
    return jdbc.sql(END).param("job", job).param("state", state.name()).param("by", by).update()
        == 1;
  }

  /** Counts the replayed letters that have not come to an end yet. */
  public int underWay() {
    return jdbc.sql(UNDER_WAY).query(Integer.class).single();
  }

  /** Returns one job. */
  public Optional<ReplayJob> find(long job) {
    return jdbc.sql(FIND).param("job", job).query((row, n) -> job(row)).optional();
  }

  /** Returns the newest jobs first. */
  public List<ReplayJob> list(@Nullable Long before, int limit) {
    return jdbc.sql(LIST)
        .param("before", before)
        .param("limit", limit)
        .query((row, n) -> job(row))
        .list();
  }

  /** Returns the first letters a job has left where they are. */
  public List<ReplayJob.Refused> refused(long job, int limit) {
    return jdbc.sql(REFUSED)
        .param("job", job)
        .param("limit", limit)
        .query(
            (row, n) -> new ReplayJob.Refused(row.getLong("letter_id"), row.getString("refusal")))
        .list();
  }

  /** Counts by their state of today the letters a job has replayed. */
  public Map<LetterState, Long> today(long job) {
    Map<LetterState, Long> counts = new LinkedHashMap<>();
    jdbc.sql(TODAY)
        .param("job", job)
        .query(
            row -> {
              counts.put(LetterState.valueOf(row.getString("state")), row.getLong("letters"));
            });
    return counts;
  }

  /** Returns those of the letters that wait in a running job. */
  public Set<Long> waiting(List<Long> letters) {
    return jdbc.sql(WAITING_IN_JOBS).param("ids", array(letters)).query(Long.class).list().stream()
        .collect(Collectors.toSet());
  }

  /** Forgets one batch of jobs that ended long ago; returns how many. */
  int prune() {
    return jdbc.sql(PRUNE)
        .param("retention", interval(settings.settledLetterRetention()))
        .param("batch", settings.pruneBatch())
        .update();
  }

  private static ReplayJob job(ResultSet row) throws SQLException {
    return new ReplayJob(
        row.getLong("id"),
        ReplayJob.Kind.valueOf(row.getString("kind")),
        new ReplayJob.Request(
            row.getString("requested_by"),
            row.getString("reason"),
            row.getString("filter"),
            row.getInt("per_second")),
        ReplayJob.State.valueOf(row.getString("state")),
        new ReplayJob.Progress(
            row.getInt("letters"), row.getInt("replayed"), row.getInt("refused")),
        row.getString("waits_for"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        instant(row.getObject("ended_at", OffsetDateTime.class)),
        row.getString("ended_by"));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  /** As PostgreSQL writes an array. */
  static String array(List<Long> ids) {
    return ids.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }

  private static String interval(Duration duration) {
    return duration.toMillis() + " milliseconds";
  }
}
