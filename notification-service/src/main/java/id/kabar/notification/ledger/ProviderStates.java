package id.kabar.notification.ledger;

import id.kabar.notification.ledger.ProviderState.Manual;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What the instances tell each other of the provider, by the database's clock. */
@Repository
public class ProviderStates {

  /** Nobody may silence us for longer, be it by a slip. */
  public static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /**
   * No pause reaches as far ahead as this: what lies beyond was written by a clock that has since
   * been set back, and must not keep everybody waiting until it has caught up.
   */
  static final String NO_PAUSE_REACHES =
      "now() + interval '%d seconds'".formatted(LONGEST_PAUSE.plusMinutes(1).toSeconds());

  static final String COLUMNS =
      """
      manual, manual_since, manual_by, manual_reason,
      case when throttled_until < %s
           then greatest(0, extract(epoch from throttled_until - now()) * 1000)
           else 0
      end::bigint as throttled,
      (extract(epoch from now() - trusted_at) * 1000)::bigint as trusted_for
      """
          .formatted(NO_PAUSE_REACHES);

  private static final String READ = "select " + COLUMNS + " from provider";

  private static final String THROTTLE =
      """
      update provider
      set throttled_until =
          greatest(
              case when throttled_until < %s then throttled_until end,
              now() + cast(:wait as interval))
      """
          .formatted(NO_PAUSE_REACHES);

  private static final String ORDER =
      """
      with ordered as (
          update provider
          set manual = :manual, manual_since = now(), manual_by = :operator, manual_reason = :reason
      )
      insert into provider_audit (operator, manual, reason) values (:operator, :manual, :reason)
      """;

  /**
   * Where the line of all calls ends. A time that has passed is not made up for; what lies farther
   * ahead than any line reaches was written by a clock that has since been set back.
   */
  private static final String END_OF_LINE =
      """
      case when next_call_at between clock_timestamp() and clock_timestamp() + interval '1 minute'
           then next_call_at
           else clock_timestamp()
      end
      """;

  private static final String NEXT_CALL =
      """
      update provider
      set next_call_at = %1$s + cast(:every as interval)
      where %1$s <= clock_timestamp() + cast(:longest as interval)
      returning
          greatest(
              0, extract(epoch from next_call_at - cast(:every as interval) - clock_timestamp()) * 1000)::bigint
      """
          .formatted(END_OF_LINE);

  /** Never so many that the line would be taken for one of the future. */
  private static final String CALL_AT_ONCE =
      """
      update provider
      set next_call_at =
          least(%s + cast(:every as interval), clock_timestamp() + interval '30 seconds')
      """
          .formatted(END_OF_LINE);

  private static final String AUDIT =
      """
      select at, operator, manual, reason
      from provider_audit
      order by id desc
      limit :limit
      """;

  private final JdbcClient jdbc;

  public ProviderStates(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** What an operator ordered, when and why. */
  public record Order(OffsetDateTime at, String operator, Manual manual, String reason) {}

  public ProviderState read() {
    return jdbc.sql(READ).query((row, n) -> state(row)).single();
  }

  static ProviderState state(ResultSet row) throws SQLException {
    Long trustedFor = row.getObject("trusted_for", Long.class);
    return new ProviderState(
        Manual.valueOf(row.getString("manual")),
        row.getObject("manual_since", OffsetDateTime.class).toInstant(),
        row.getString("manual_by"),
        row.getString("manual_reason"),
        Duration.ofMillis(row.getLong("throttled")),
        trustedFor == null ? null : Duration.ofMillis(trustedFor));
  }

  /**
   * From now on no instance calls for so long, unless it was asked to leave it alone for longer.
   */
  public void throttle(Duration wait) {
    jdbc.sql(THROTTLE).param("wait", interval(wait)).update();
  }

  /** Tells all instances that the provider is back. */
  public void trusted() {
    jdbc.sql("update provider set trusted_at = now()").update();
  }

  /** Records an operator's order, and who gave it why. */
  public void order(Manual manual, String operator, String reason) {
    jdbc.sql(ORDER)
        .param("manual", manual.name())
        .param("operator", operator)
        .param("reason", reason)
        .update();
  }

  /** The latest orders, the newest first. */
  public List<Order> orders(int limit) {
    return jdbc.sql(AUDIT)
        .param("limit", limit)
        .query(
            (row, n) ->
                new Order(
                    row.getObject("at", OffsetDateTime.class),
                    row.getString("operator"),
                    Manual.valueOf(row.getString("manual")),
                    row.getString("reason")))
        .list();
  }

  /**
   * Takes the next place in the line of all instances' calls, unless it is too far away.
   *
   * @return how long until it comes; nothing if that were longer than {@code longest}
   */
  public Optional<Duration> nextCall(Duration every, Duration longest) {
    return jdbc.sql(NEXT_CALL)
        .param("every", interval(every))
        .param("longest", interval(longest))
        .query(Long.class)
        .optional()
        .map(Duration::ofMillis);
  }

  /** Calls without a place in the line; those that wait in it come as much later. */
  public void callAtOnce(Duration every) {
    jdbc.sql(CALL_AT_ONCE).param("every", interval(every)).update();
  }

  private static String interval(Duration duration) {
    return duration.toNanos() / 1_000 + " microseconds";
  }
}
