package id.kabar.orders.outbox;

import java.util.Map;
import java.util.UUID;

/**
 * What happened to an aggregate.
 *
 * @param id the only identity for deduplication
 * @param aggregateId the key in Kafka; events of one aggregate arrive in the order of their
 *     commits, as long as their writers hold a lock on the aggregate's row
 * @param type decides the topic
 * @param payload JSON, kept and sent byte for byte
 * @param headers travel beside the payload
 */
public record OutboxEvent(
    UUID id,
    String aggregateType,
    String aggregateId,
    String type,
    String payload,
    Map<String, String> headers) {

  /** Without the payload, which may hold what no log should. */
  @Override
  public String toString() {
    return "%s %s of %s %s".formatted(type, id, aggregateType, aggregateId);
  }
}
