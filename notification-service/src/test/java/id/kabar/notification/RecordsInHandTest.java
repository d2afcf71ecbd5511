package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.notification.email.Admission;
import id.kabar.notification.email.AdmissionSettings;
import id.kabar.notification.email.AdmissionSettings.Outage;
import id.kabar.notification.email.Hold;
import id.kabar.notification.email.ProviderTrust;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/** A partition that moves between two consumers of one instance, with records in hand. */
class RecordsInHandTest {

  private static final TopicPartition PARTITION = new TopicPartition("order.paid", 1);
  private static final ConsumerFactory<byte[], byte[]> CONSUMERS =
      new DefaultKafkaConsumerFactory<>(Map.of());

  /** One in flight: four records fill a partition, two leave room again. */
  private static final AdmissionSettings SETTINGS =
      new AdmissionSettings(1, new Outage(Hold.of("60s")));

  private final Queue<Runnable> orders = new ArrayDeque<>();
  private final AtomicBoolean providerAnswers = new AtomicBoolean();
  private final List<Long> delivered = Collections.synchronizedList(new ArrayList<>());
  private final Member first = new Member();
  private final Member second = new Member();
  private final RecordsInHand inHand = recordsInHand();

  @Test
  void aFullPartitionIsPausedUntilThereIsRoom() {
    first.isAssigned();
    first.receives(0, 4);
    assertThat(first.isPaused()).isTrue();
    providerAnswers.set(true);
    await().until(() -> !first.isPaused());
    await().until(() -> first.acknowledged.contains(3L));
  }

  @Test
  void whoGetsAPartitionThatWasFullFetchesFromIt() {
    first.isAssigned();
    first.receives(0, 4);
    first.isRevoked();
    second.isAssigned();
    assertThat(second.isPaused()).isFalse();
    second.receives(0, 4);
    assertThat(second.isPaused()).isTrue();
    providerAnswers.set(true);
    await().until(() -> !second.isPaused());
    await().until(() -> second.acknowledged.contains(3L));
    assertThat(first.acknowledged).isEmpty();
  }

  @Test
  void whoGetsAPartitionThatWasFullFetchesFromItEvenIfWeAreNeverToldThatItDid() {
    first.isAssigned();
    first.receives(0, 4);
    assertThat(first.isPaused()).isTrue();
    first.isRevoked();
    second.isAssignedUnheard();
    inHand.look();
    assertThat(second.isPaused()).isFalse();
    second.receives(0, 4);
    providerAnswers.set(true);
    await().until(() -> second.acknowledged.contains(3L));
    assertThat(second.isPaused()).isFalse();
  }

  @Test
  void whoHearsLateThatItsPartitionHasGoneTakesNothingFromTheOneThatHasIt() {
    first.isAssigned();
    first.receives(0, 1);
    second.isAssigned();
    second.receives(0, 4);
    assertThat(second.isPaused()).isTrue();
    first.isLost();
    providerAnswers.set(true);
    await().until(() -> !second.isPaused());
    await().until(() -> second.acknowledged.contains(3L));
    assertThat(delivered).containsExactlyInAnyOrder(0L, 1L, 2L, 3L);
    assertThat(first.acknowledged).isEmpty();
  }

  /** One of our consumers, with its container as it is seen from outside. */
  private final class Member {

    private final Consumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    private final List<Long> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final List<TopicPartition> assigned = new ArrayList<>();
    private final KafkaMessageListenerContainer<byte[], byte[]> container =
        new KafkaMessageListenerContainer<>(CONSUMERS, new ContainerProperties("order.paid")) {
          @Override
          public Collection<TopicPartition> getAssignedPartitions() {
            return assigned;
          }
        };

    void isAssigned() {
      assigned.add(PARTITION);
      inHand.onPartitionsAssigned(consumer, List.of(PARTITION));
    }

    /** A wake-up in the middle: Kafka begins the callback again, and has nothing new to tell. */
    void isAssignedUnheard() {
      assigned.add(PARTITION);
      inHand.onPartitionsAssigned(consumer, List.of());
    }

    void isRevoked() {
      inHand.onPartitionsRevokedBeforeCommit(consumer, List.of(PARTITION));
      assigned.remove(PARTITION);
    }

    /** As Spring tells it: lost, and then revoked. */
    void isLost() {
      inHand.onPartitionsLost(consumer, List.of(PARTITION));
      isRevoked();
    }

    void receives(long from, long until) {
      LongStream.range(from, until)
          .forEach(
              offset ->
                  inHand.take(
                      new ConsumerRecord<>(
                          PARTITION.topic(), PARTITION.partition(), offset, null, null),
                      () -> acknowledged.add(offset),
                      consumer));
    }

    boolean isPaused() {
      steered();
      return container.isPartitionPauseRequested(PARTITION);
    }
  }

  private void steered() {
    synchronized (orders) {
      while (!orders.isEmpty()) {
        orders.remove().run();
      }
    }
  }

  private RecordsInHand recordsInHand() {
    Clock clock = Clock.systemUTC();
    var trust = new ProviderTrust(CircuitBreakerRegistry.ofDefaults(), SETTINGS, clock);
    return new RecordsInHand(
        new Deliveries(),
        new Admission(trust, SETTINGS),
        SETTINGS,
        new ListenerProgress(clock, new SimpleMeterRegistry()),
        new Listeners(),
        new Orders());
  }

  /** Carries the orders out when the test looks, as late as it likes. */
  private final class Orders extends Steering {
    @Override
    void later(Runnable order) {
      synchronized (orders) {
        orders.add(order);
      }
    }
  }

  /** Under way until the provider answers, or the partition has gone. */
  private final class Deliveries extends RecordDelivery {

    Deliveries() {
      super(null, null, null, null, null, null, null);
    }

    @Override
    boolean deliver(ConsumerRecord<byte[], byte[]> record, PartitionWindow window) {
      while (window.open()) {
        if (providerAnswers.get()) {
          delivered.add(record.offset());
          return true;
        }
        window.pause(Duration.ofMillis(1));
      }
      return false;
    }
  }

  private final class Listeners extends KafkaListenerEndpointRegistry {
    @Override
    public MessageListenerContainer getListenerContainer(String id) {
      return new ConcurrentMessageListenerContainer<>(
          CONSUMERS, new ContainerProperties("order.paid")) {
        @Override
        public List<KafkaMessageListenerContainer<byte[], byte[]>> getContainers() {
          return List.of(first.container, second.container);
        }
      };
    }
  }
}
