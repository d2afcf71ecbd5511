package id.kabar.relay;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stops all relays on this outbox and lets them go on. The stop lives in the rows that relays lock:
 * it outlives every process, and once it is committed no round is under way and none can begin.
 */
@Component
class MainSwitch {

  /**
   * When, by whom and why all relays were stopped.
   *
   * @param operator null, like the reason, when somebody stopped them by hand
   */
  record Pause(Instant since, @Nullable String operator, @Nullable String reason) {}

  /**
   * Relays with sessions on this outbox.
   *
   * @param workers their threads that publish
   */
  record Alive(int relays, int workers) {}

  /**
   * A bucket as far as its first 1,000 events.
   *
   * @param due what could be published now
   */
  record Bucket(int bucket, int pending, int due, int parked, long oldestDueSeconds) {}

  private final JdbcClient jdbc;

  MainSwitch(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns when no relay publishes any more; false when that was so before. */
  @Transactional
  boolean pause(String operator, String reason) {
    return turn(OperatorSql.PAUSE, "pause", operator, reason);
  }

  /** False when nothing was paused. */
  @Transactional
  boolean resume(String operator, @Nullable String reason) {
    boolean resumed = turn(OperatorSql.RESUME, "resume", operator, reason);
    jdbc.sql(OperatorSql.RING).update();
    return resumed;
  }

  private boolean turn(String sql, String action, String operator, @Nullable String reason) {
    jdbc.sql(OperatorSql.TURN).query().singleRow();
    int buckets = jdbc.sql(sql).update();
    if (buckets > 0) {
      jdbc.sql(OperatorSql.AUDIT)
          .param(operator)
          .param(action)
          .param("all relays")
          .param(buckets)
          .param(reason)
          .update();
    }
    return buckets > 0;
  }

  @Nullable Pause paused() {
    return jdbc.sql(OperatorSql.LAST_PAUSE)
        .query(
            (row, n) ->
                new Pause(
                    row.getObject(1, OffsetDateTime.class).toInstant(),
                    row.getString(2),
                    row.getString(3)))
        .optional()
        .orElse(null);
  }

  Alive alive() {
    return jdbc.sql(OperatorSql.ALIVE)
        .query((row, n) -> new Alive(row.getInt(1), row.getInt(2)))
        .single();
  }

  List<Bucket> buckets() {
    return jdbc.sql(OperatorSql.BUCKETS)
        .query(
            (row, n) ->
                new Bucket(
                    row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4), row.getLong(5)))
        .list();
  }
}
