package id.kabar.notification.ledger;

import java.time.OffsetDateTime;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Tells what was tried in vain. It is written by the statements that end an attempt, at no cost to
 * one that succeeds.
 */
@Repository
public class Attempts {

  /** How many failures of one event are kept, the latest: an outage may repeat one for days. */
  static final int KEPT = 100;

  /** By the event, or by the letter if nobody could read which event it is. */
  private static final String OF_LETTER =
      """
      select number, at, cause, detail, provider_status, outcome_unknown
      from attempt
      where event_id = (select event_id from dead_letter where id = :letter)
         or letter_id = :letter
      order by at, number
      """;

  private final JdbcClient jdbc;

  Attempts(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Returns the failed attempts a letter is about, the oldest first. */
  public List<Attempt> of(long letter) {
    return jdbc.sql(OF_LETTER)
        .param("letter", letter)
        .query(
            (row, n) ->
                new Attempt(
                    row.getInt("number"),
                    row.getObject("at", OffsetDateTime.class).toInstant(),
                    new AttemptFailure(
                        Cause.valueOf(row.getString("cause")),
                        row.getString("detail"),
                        row.getObject("provider_status", Integer.class),
                        row.getBoolean("outcome_unknown"))))
        .list();
  }
}
