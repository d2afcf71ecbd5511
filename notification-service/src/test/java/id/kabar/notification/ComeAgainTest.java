package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A poll whose records never reached the listener is polled again. */
class ComeAgainTest {

  private static final TopicPartition IN_HAND = new TopicPartition("order.paid", 0);
  private static final TopicPartition COMMITTED = new TopicPartition("order.paid", 1);
  private static final TopicPartition NEW = new TopicPartition("order.paid", 2);

  private final Asked consumer = new Asked();
  private final ComeAgain handler =
      new ComeAgain(
          Duration.ofSeconds(1),
          (_, partition) -> partition.equals(IN_HAND) ? OptionalLong.of(3) : OptionalLong.empty());

  @BeforeEach
  void pollAllAndLoseIt() {
    List<TopicPartition> partitions = List.of(IN_HAND, COMMITTED, NEW);
    consumer.assign(partitions);
    for (TopicPartition partition : partitions) {
      consumer.updateBeginningOffsets(Map.of(partition, 0L));
      consumer.seek(partition, 0);
      for (int offset = 0; offset < 5; offset++) {
        consumer.addRecord(
            new ConsumerRecord<>(
                partition.topic(), partition.partition(), offset, new byte[0], new byte[0]));
      }
    }
    consumer.commitSync(Map.of(COMMITTED, new OffsetAndMetadata(2)));
    consumer.poll(Duration.ZERO);
    assertThat(partitions).allSatisfy(it -> assertThat(consumer.position(it)).isEqualTo(5));
  }

  @Test
  void consumerGoesBackToTheFirstRecordThatIsNotInHand() {
    handler.goBack(consumer, () -> true);

    assertThat(consumer.position(IN_HAND)).isEqualTo(3);
    assertThat(consumer.position(COMMITTED)).isEqualTo(2);
    assertThat(consumer.position(NEW)).isZero();
  }

  @Test
  void committedOffsetsAreAskedForUntilTheyAreKnown() {
    consumer.failures = 3;

    handler.goBack(consumer, () -> true);

    assertThat(consumer.failures).isZero();
    assertThat(consumer.position(COMMITTED)).isEqualTo(2);
  }

  @Test
  void listenerThatStopsAsksNoMore() {
    consumer.failures = 3;

    handler.goBack(consumer, () -> false);

    assertThat(consumer.failures).isEqualTo(3);
  }

  private static final class Asked extends MockConsumer<byte[], byte[]> {

    private int failures;

    Asked() {
      super("earliest");
    }

    @Override
    public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
        Set<TopicPartition> partitions, Duration timeout) {
      if (failures > 0) {
        failures--;
        throw new KafkaException("the broker is away");
      }
      return super.committed(partitions, timeout);
    }
  }
}
