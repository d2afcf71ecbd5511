package id.kabar.orders.outbox;

import org.springframework.util.unit.DataSize;

/**
 * The event would be refused by its topic, so it is refused here, together with the change it tells
 * of.
 */
public final class EventTooLarge extends RuntimeException {

  EventTooLarge(OutboxEvent event, long bytes, DataSize limit) {
    super(
        "%s has %d bytes with its headers, and the limit is %d."
            .formatted(event, bytes, limit.toBytes()));
  }
}
