package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class OrderTest {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00.123456789Z");
  private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);

  private final UUID id = UUID.randomUUID();
  private final Order order =
      new Order(id, new PlaceOrder(new EmailAddress("ani@example.com"), 15_000, "IDR"), CLOCK);

  @Test
  void payingTellsWhatTheConsumersNeed() {
    UUID eventId = UUID.randomUUID();

    OrderPaid paid = order.pay(eventId, CLOCK);

    Instant noonInMicros = Instant.parse("2026-11-30T12:00:00.123456Z");
    assertThat(paid)
        .isEqualTo(
            new OrderPaid(
                eventId, id, new EmailAddress("ani@example.com"), 15_000, "IDR", noonInMicros));
    assertThat(order.status()).isEqualTo(OrderStatus.PAID);
    assertThat(order.paidAt()).isEqualTo(noonInMicros);
  }

  @Test
  void isPaidOnce() {
    order.pay(UUID.randomUUID(), CLOCK);

    assertThatExceptionOfType(OrderNotPending.class)
        .isThrownBy(() -> order.pay(UUID.randomUUID(), CLOCK))
        .withMessageContaining("is PAID");
  }

  @Test
  void isNotPaidAfterItWasCancelled() {
    order.cancel();

    assertThatExceptionOfType(OrderNotPending.class)
        .isThrownBy(() -> order.pay(UUID.randomUUID(), CLOCK));
    assertThat(order.status()).isEqualTo(OrderStatus.CANCELLED);
    assertThat(order.paidAt()).isNull();
  }

  @Test
  void isNotCancelledAfterItWasPaid() {
    order.pay(UUID.randomUUID(), CLOCK);

    assertThatExceptionOfType(OrderNotPending.class).isThrownBy(order::cancel);
    assertThat(order.status()).isEqualTo(OrderStatus.PAID);
  }

  @Test
  void keepsItsAddressOutOfTexts() {
    assertThat(order.pay(UUID.randomUUID(), CLOCK).toString()).doesNotContain("ani");
    assertThat(order.toString()).doesNotContain("ani");
  }
}
