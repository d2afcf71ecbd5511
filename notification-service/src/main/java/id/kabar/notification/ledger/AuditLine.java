package id.kabar.notification.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What an operator did to a letter, or to all that matched a filter. */
public record AuditLine(
    @Nullable Instant at,
    String operator,
    Action action,
    @Nullable Long letterId,
    @Nullable String filter,
    int count,
    @Nullable String reason) {

  /** The acts that leave a line. */
  public enum Action {
    SHOW,
    REPLAY,
    REPLAY_FILTER,
    DISCARD
  }

  /** A line about one letter; the database adds the time. */
  public static AuditLine of(String operator, Action action, long letter, @Nullable String reason) {
    return new AuditLine(null, operator, action, letter, null, 1, reason);
  }
}
