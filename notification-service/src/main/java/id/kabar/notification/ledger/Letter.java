package id.kabar.notification.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter, without what is in it.
 *
 * @param reference what it is about: {@code event:<id>}, or the record it came in
 * @param replays people asked for
 * @param redrives nobody asked for, as far as they count
 * @param eventSent whether the event's email has been sent meanwhile
 * @param unknownFor how long ago an attempt was made of which nobody knows whether it was accepted
 */
public record Letter(
    long id,
    String reference,
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
    @Nullable Origin origin,
    boolean eventSent,
    @Nullable Duration unknownFor) {

  /** The record that failed. */
  public record Origin(String topic, int partition, long offset, Instant at) {}

  /**
   * The record itself.
   *
   * @param headers the original ones, as JSON {@code [["name", "base64"], …]}
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes as they came; nobody compares them
  public record Content(byte @Nullable [] key, byte @Nullable [] payload, String headers) {}
}
