package id.kabar.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order and its states: PENDING until it is paid or cancelled, and neither twice. */
@Entity
@Table(name = "orders")
class Order {

  @Id private UUID id;

  // Compared at every update: of two changes at once the second finds nothing to change, and fails.
  @Version private @Nullable Integer version;

  private EmailAddress customerEmail;
  private long totalAmount;
  private String currency;

  @Enumerated(EnumType.STRING)
  private OrderStatus status;

  private Instant createdAt;
  private @Nullable Instant paidAt;

  @SuppressWarnings("NullAway.Init") // Hibernate fills the fields
  Order() {}

  Order(UUID id, PlaceOrder request, Clock clock) {
    this.id = id;
    this.customerEmail = request.customerEmail();
    this.totalAmount = request.totalAmount();
    this.currency = request.currency();
    this.status = OrderStatus.PENDING;
    this.createdAt = now(clock);
  }

  /** The event of this payment; {@code eventId} is what its consumers know it by. */
  OrderPaid pay(UUID eventId, Clock clock) {
    requirePending();
    Instant now = now(clock);
    status = OrderStatus.PAID;
    paidAt = now;
    return new OrderPaid(eventId, id, customerEmail, totalAmount, currency, now);
  }

  void cancel() {
    requirePending();
    status = OrderStatus.CANCELLED;
  }

  private void requirePending() {
    if (status != OrderStatus.PENDING) {
      throw new OrderNotPending(id, status);
    }
  }

  /**
   * In the database's own precision, so that an answer reads the same before and after it was
   * stored.
   */
  private static Instant now(Clock clock) {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  UUID id() {
    return id;
  }

  EmailAddress customerEmail() {
    return customerEmail;
  }

  long totalAmount() {
    return totalAmount;
  }

  String currency() {
    return currency;
  }

  OrderStatus status() {
    return status;
  }

  Instant createdAt() {
    return createdAt;
  }

  @Nullable Instant paidAt() {
    return paidAt;
  }
}
