package id.kabar.notification.deadletter;

import id.kabar.notification.ledger.Attempt;
import id.kabar.notification.ledger.AuditLine;
import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.LetterState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A letter as operators see it; nothing in it names the customer.
 *
 * @param quarantined whether only force replays it
 * @param redrivesItself whether it will be sent again without anybody doing anything
 */
record LetterView(
    long id,
    @Nullable UUID eventId,
    @Nullable UUID orderId,
    Cause cause,
    String detail,
    LetterState state,
    int attempts,
    int replays,
    int redrives,
    Instant firstFailedAt,
    Instant lastFailedAt,
    Letter.@Nullable Origin origin,
    boolean quarantined,
    boolean redrivesItself) {

  static LetterView of(Letter letter, boolean quarantined, boolean redrivesItself) {
    return new LetterView(
        letter.id(),
        letter.eventId(),
        letter.orderId(),
        letter.cause(),
        letter.detail(),
        letter.state(),
        letter.attempts(),
        letter.replays(),
        letter.redrives(),
        letter.firstFailedAt(),
        letter.lastFailedAt(),
        letter.origin(),
        quarantined,
        redrivesItself);
  }

  /** One page; the next one starts after {@code next}, if there is any. */
  record Page(List<LetterView> letters, @Nullable Long next) {}

  /**
   * One letter with its record, what was tried, and what was done to it.
   *
   * @param payload with the address masked, or as it is if the whole was asked for
   * @param headers only if the whole was asked for
   * @param obstacle what a replay would be refused for; null if nothing
   */
  record Whole(
      LetterView letter,
      @Nullable Object payload,
      int payloadBytes,
      @Nullable Map<String, String> headers,
      List<Try> attempts,
      List<Act> history,
      @Nullable Obstacle obstacle) {}

  /** A failed attempt. */
  record Try(
      int number,
      Instant at,
      Cause cause,
      String detail,
      @Nullable Integer providerStatus,
      boolean outcomeUnknown) {

    static Try of(Attempt attempt) {
      return new Try(
          attempt.number(),
          attempt.at(),
          attempt.failure().cause(),
          attempt.failure().detail(),
          attempt.failure().providerStatus(),
          attempt.failure().outcomeUnknown());
    }
  }

  /** What somebody did. */
  record Act(
      @Nullable Instant at,
      String operator,
      AuditLine.Action action,
      @Nullable String reason,
      @Nullable Long job) {

    static Act of(AuditLine line) {
      return new Act(line.at(), line.operator(), line.action(), line.reason(), line.job());
    }
  }

  /** Why a replay would be refused. */
  record Obstacle(Refusal reason, String explanation, boolean yieldsToForce) {

    static Obstacle of(Refusal refusal) {
      return new Obstacle(refusal, refusal.explanation(), refusal.yieldsToForce());
    }
  }
}
