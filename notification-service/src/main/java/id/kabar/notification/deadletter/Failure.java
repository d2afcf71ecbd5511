package id.kabar.notification.deadletter;

import id.kabar.notification.ledger.Cause;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Why a record was not delivered, in the words its dead letter will have.
 *
 * @param detail for people; holds nothing of the record's content
 * @param eventId null if the record could not be read
 * @param attempts deliveries so far, replays included
 */
public record Failure(
    Cause cause,
    String detail,
    @Nullable UUID eventId,
    @Nullable UUID orderId,
    int attempts,
    Instant firstFailedAt,
    Instant lastFailedAt) {

  /** The failure of a record that tells nothing about itself. */
  public static Failure ofRecord(Cause cause, String detail, Instant now) {
    return new Failure(cause, detail, null, null, 1, now, now);
  }
}
