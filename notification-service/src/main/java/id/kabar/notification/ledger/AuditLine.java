package id.kabar.notification.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was done to a letter, or to all that matched a filter.
 *
 * @param letterId null if it was about many
 * @param filter which ones, in words
 * @param job the replay it belongs to
 */
public record AuditLine(
    @Nullable Instant at,
    String operator,
    Action action,
    @Nullable Long letterId,
    @Nullable String filter,
    int count,
    @Nullable String reason,
    @Nullable Long job) {

  /** The acts that leave a line. */
  public enum Action {
    SHOW,
    REPLAY,
    REPLAY_FILTER,
    REDRIVE,
    CANCEL,
    DISCARD,
    DISCARD_FILTER
  }

  /** A line about one letter; the database adds the time. */
  public static AuditLine of(String operator, Action action, long letter, @Nullable String reason) {
    return new AuditLine(null, operator, action, letter, null, 1, reason, null);
  }

  /** A line about many letters; the database adds the time. */
  public static AuditLine ofMany(
      String operator, Action action, String filter, int count, @Nullable String reason) {
    return new AuditLine(null, operator, action, null, filter, count, reason, null);
  }

  /** The same line, as part of a replay. */
  public AuditLine of(long replay) {
    return new AuditLine(at, operator, action, letterId, filter, count, reason, replay);
  }
}
