package id.kabar.relay;

import java.time.Instant;
import java.util.UUID;

/**
 * A committed event as it waits in the outbox.
 *
 * @param payload UTF-8, exactly as it was written
 * @param headers a flat JSON object, one text per name
 */
@SuppressWarnings(
    "ArrayRecordComponent") // bytes on their way from one server to the other, never compared
record Event(
    int bucket,
    long position,
    UUID id,
    String aggregateType,
    String aggregateId,
    String eventType,
    byte[] payload,
    String headers,
    Instant createdAt) {

  @Override
  public String toString() {
    return "event " + id + " of " + aggregateType + " " + aggregateId;
  }
}
