package id.kabar.notification.ledger;

import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * What the instances think of the provider. Only who does not trust it reports, and has to repeat
 * it: an instance that has died has no opinion.
 */
@Repository
public class ProviderReports {

  /** An instance's distrust of the provider. */
  public enum Distrust {
    /** It wants to try it with a call or two. */
    PROBE,
    /** It does not call it at all. */
    SPARED
  }

  /**
   * What is known beyond one's own calls.
   *
   * @param spared another instance does not call the provider
   * @param doubted another instance wants to probe it first
   * @param provedLately the provider has accepted something within the last minute
   */
  public record Opinion(boolean spared, boolean doubted, boolean provedLately) {}

  private static final String REPORT =
      """
      insert into provider_report (instance, trust, at)
      values (:instance, :trust, now())
      on conflict (instance) do update
      set trust = excluded.trust, at = excluded.at
      """;

  /** Takes the reports of the dead away, too. */
  private static final String WITHDRAW =
      """
      delete from provider_report
      where instance = :instance
         or at < now() - interval '1 hour'
      """;

  private static final String OPINION =
      """
      select coalesce(bool_or(trust = 'SPARED'), false) as spared,
             coalesce(bool_or(trust = 'PROBE'), false) as doubted,
             exists (
                 select from processed_event
                 where state = 'SENT' and sent_at > now() - interval '1 minute') as proved_lately
      from provider_report
      where instance <> :instance
        and at > now() - cast(:valid as interval)
      """;

  private final JdbcClient jdbc;
  private final String instance;

  ProviderReports(JdbcClient jdbc, Instance instance) {
    this.jdbc = jdbc;
    this.instance = instance.newClaim(); // two instances may share a process, in tests
  }

  /** Tells the others. */
  public void report(Distrust distrust) {
    jdbc.sql(REPORT).param("instance", instance).param("trust", distrust.name()).update();
  }

  /** Takes back what was reported. */
  public void withdraw() {
    jdbc.sql(WITHDRAW).param("instance", instance).update();
  }

  /**
   * Asks the others.
   *
   * @param valid how long a report counts
   */
  public Opinion opinion(Duration valid) {
    return jdbc.sql(OPINION)
        .param("instance", instance)
        .param("valid", valid.toMillis() + " milliseconds")
        .query(
            (row, n) ->
                new Opinion(
                    row.getBoolean("spared"),
                    row.getBoolean("doubted"),
                    row.getBoolean("proved_lately")))
        .single();
  }
}
