package id.kabar.orders;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import id.kabar.orders.outbox.OutboxEvent;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** An order was paid: version 1, as docs/events/order-paid.v1.json describes it. */
@JsonPropertyOrder({"eventId", "orderId", "customerEmail", "totalAmount", "currency", "paidAt"})
record OrderPaid(
    UUID eventId,
    UUID orderId,
    EmailAddress customerEmail,
    long totalAmount,
    String currency,
    Instant paidAt) {

  /** The headers are CloudEvents' Kafka binding in binary mode. */
  OutboxEvent toOutboxEvent(JsonMapper json) {
    return new OutboxEvent(
        eventId,
        "Order",
        orderId.toString(),
        "OrderPaid",
        json.writeValueAsString(this),
        Map.of(
            "ce_specversion", "1.0",
            "ce_id", eventId.toString(),
            "ce_type", "id.kabar.OrderPaid.v1",
            "ce_source", "/order-service",
            "ce_subject", orderId.toString(),
            "ce_time", paidAt.toString(),
            "content-type", "application/json"));
  }
}
