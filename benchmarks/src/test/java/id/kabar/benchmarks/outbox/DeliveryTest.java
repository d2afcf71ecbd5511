package id.kabar.benchmarks.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeliveryTest {

  private static final Shape TWO_KEYS = new Shape(100, 2);

  private final Delivery delivery = new Delivery(TWO_KEYS, 6);

  @Test
  void everythingOnceAndInOrderIsFaultless() {
    deliver(0, 2, 1, 3, 5, 4);

    assertThat(delivery.lost()).isZero();
    assertThat(delivery.inversions()).isZero();
    assertThat(delivery.repeats()).isZero();
    assertThat(delivery.lastAppended()).isEqualTo(6);
  }

  @Test
  void missingEventIsLost() {
    deliver(0, 1, 2, 3, 4);

    assertThat(delivery.lost()).isEqualTo(1);
  }

  @Test
  void repeatIsNoInversion() {
    deliver(0, 2, 4, 0, 2, 1, 3, 5);

    assertThat(delivery.repeats()).isEqualTo(2);
    assertThat(delivery.inversions()).isZero();
  }

  @Test
  void eventThatComesFirstAfterALaterOneOfItsKeyIsOutOfOrder() {
    deliver(0, 4, 2, 1, 3, 5);

    assertThat(delivery.inversions()).isEqualTo(1);
  }

  @Test
  void recordNobodyHasWrittenIsAStranger() {
    deliver(0, 1, 2, 3, 4, 5, 6, -1);

    assertThat(delivery.strangers()).isEqualTo(2);
  }

  @Test
  void eventIsKnownByTheBeginningOfItsValue() {
    String noise = Table.noise(TWO_KEYS);

    assertThat(IntStream.of(0, 15, 16, 1_000_000))
        .allSatisfy(
            event -> {
              byte[] value = TWO_KEYS.payload(event, noise).getBytes(UTF_8);
              assertThat(Shape.eventOf(value)).isEqualTo(event);
              assertThat(value).hasSize(100);
            });
    assertThat(Shape.eventOf("{}".getBytes(UTF_8))).isEqualTo(-1);
  }

  private void deliver(int... events) {
    for (int i = 0; i < events.length; i++) {
      delivery.add(events[i], i + 1);
    }
  }
}
