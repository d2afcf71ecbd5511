package id.kabar.notification.event;

import java.time.Instant;
import java.util.Currency;
import java.util.UUID;

/**
 * An order was paid, as order-service told it.
 *
 * @param totalAmount in the currency's minor unit
 */
public record OrderPaid(
    UUID eventId,
    UUID orderId,
    String customerEmail,
    long totalAmount,
    Currency currency,
    Instant paidAt) {

  /** Without the address: this text may end up in a log. */
  @Override
  public String toString() {
    return "OrderPaid[eventId=%s, orderId=%s]".formatted(eventId, orderId);
  }
}
