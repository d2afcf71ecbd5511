package id.kabar.notification.deadletter;

import id.kabar.notification.ledger.AuditLine;
import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.LetterState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A letter as operators see it; nothing in it names the customer. */
record LetterView(
    long id,
    @Nullable UUID eventId,
    @Nullable UUID orderId,
    Cause cause,
    String detail,
    LetterState state,
    int attempts,
    int replays,
    Instant firstFailedAt,
    Instant lastFailedAt,
    Letter.@Nullable Origin origin) {

  static LetterView of(Letter letter) {
    return new LetterView(
        letter.id(),
        letter.eventId(),
        letter.orderId(),
        letter.cause(),
        letter.detail(),
        letter.state(),
        letter.attempts(),
        letter.replays(),
        letter.firstFailedAt(),
        letter.lastFailedAt(),
        letter.origin());
  }

  /** One page; the next one starts after {@code next}, if there is any. */
  record Page(List<LetterView> letters, @Nullable Long next) {}

  /**
   * One letter with its record and what was done to it.
   *
   * @param payload with the address masked, or as it is if the whole was asked for
   * @param headers only if the whole was asked for
   */
  record Whole(
      LetterView letter,
      @Nullable Object payload,
      int payloadBytes,
      @Nullable Map<String, String> headers,
      List<Act> history) {}

  /** What an operator did. */
  record Act(
      @Nullable Instant at, String operator, AuditLine.Action action, @Nullable String reason) {

    static Act of(AuditLine line) {
      return new Act(line.at(), line.operator(), line.action(), line.reason());
    }
  }
}
