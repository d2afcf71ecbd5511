package id.kabar.notification;

import id.kabar.notification.email.Admission;
import id.kabar.notification.email.AdmissionSettings;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.event.ConsumerStoppingEvent;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Works on the records of all assigned partitions while their consumers poll on: one virtual thread
 * per order, bounded by {@link Admission}. A partition that has enough in hand is paused, one that
 * goes to somebody else is given back once its calls under way have ended.
 *
 * <p>Consumers of one instance are to each other as those of two: a consumer may hear late that its
 * partition has gone, when another of ours is at work on it already, and each takes back only what
 * it took itself.
 */
@Component
class RecordsInHand implements PartitionWindow.Watcher, ConsumerAwareRebalanceListener {

  /** Leaves time for the calls under way; what is not finished then is a claim that expires. */
  static final Duration LONGEST_GIVING_BACK = Duration.ofSeconds(8);

  private static final Logger log = LoggerFactory.getLogger(RecordsInHand.class);

  /** Records in hand per place in flight: the next ones are there when a place becomes free. */
  private static final int QUEUED_PER_PLACE = 4;

  /** How far others may go on past one unfinished record; only their places are remembered. */
  private static final int LONGEST_SPAN = 10_000;

  private final RecordDelivery delivery;
  private final Admission admission;
  private final int mostUnfinished;
  private final ListenerProgress progress;
  private final KafkaListenerEndpointRegistry listeners;
  private final Map<Hand, PartitionWindow> windows = new ConcurrentHashMap<>();
  private final ContextSnapshotFactory contexts = ContextSnapshotFactory.builder().build();
  private final Steering steering;

  RecordsInHand(
      RecordDelivery delivery,
      Admission admission,
      AdmissionSettings settings,
      ListenerProgress progress,
      KafkaListenerEndpointRegistry listeners,
      Steering steering) {
    this.delivery = delivery;
    this.admission = admission;
    this.mostUnfinished = settings.inFlight() * QUEUED_PER_PLACE;
    this.progress = progress;
    this.listeners = listeners;
    this.steering = steering;
  }

  /** Where a partition's records come from. */
  private record Hand(Consumer<?, ?> consumer, TopicPartition partition) {}

  /** Takes a record in hand and returns at once; called on the consumer's thread. */
  void take(
      ConsumerRecord<byte[], byte @Nullable []> record,
      Acknowledgment offset,
      Consumer<?, ?> consumer) {
    var partition = new TopicPartition(record.topic(), record.partition());
    PartitionWindow window =
        windows.computeIfAbsent(
            new Hand(consumer, partition),
            hand -> new PartitionWindow(partition, mostUnfinished, LONGEST_SPAN, this));
    // the consumer's thread is in the trace of this record, the thread that delivers it is not yet
    var trace = contexts.captureAll();
    window.take(
        record.key(),
        record.offset(),
        offset,
        () -> {
          try (var _ = trace.setThreadLocals()) {
            return delivery.deliver(record, window);
          }
        });
  }

  /**
   * The offset behind the last record of a partition that this consumer took in hand; empty if it
   * took none yet.
   */
  OptionalLong next(Consumer<?, ?> consumer, TopicPartition partition) {
    PartitionWindow window = windows.get(new Hand(consumer, partition));
    return window == null ? OptionalLong.empty() : window.next();
  }

  /** Whether any record waits or is under way. */
  boolean any() {
    return windows.values().stream().anyMatch(PartitionWindow::busy);
  }

  private boolean any(TopicPartition partition, Predicate<PartitionWindow> condition) {
    return windows.values().stream()
        .anyMatch(window -> window.partition().equals(partition) && condition.test(window));
  }

  @Override
  public void firstChanged(TopicPartition partition, boolean any) {
    if (any(partition, PartitionWindow::open)) {
      progress.firstInHand(partition, any);
    }
  }

  @Override
  public void finishedOne() {
    progress.finishedOne();
  }

  @Override
  public void roomChanged(TopicPartition partition) {
    look();
  }

  @Override
  public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    look();
  }

  @Scheduled(fixedDelay = 250)
  void look() {
    steering.later(this::steer);
  }

  /**
   * Each partition is paused or not by what is in hand of it now, wherever it is now. Nothing may
   * depend on being told of an assignment: Spring asks for the position before it tells us, the
   * order that wakes another consumer of ours aborts that, and Kafka then counts the partition as
   * told.
   */
  private void steer() {
    var listener = listeners.getListenerContainer(OrderPaidListener.ID);
    if (listener instanceof ConcurrentMessageListenerContainer<?, ?> consumers) {
      for (MessageListenerContainer consumer : consumers.getContainers()) {
        Collection<TopicPartition> assigned = consumer.getAssignedPartitions();
        if (assigned != null) {
          assigned.forEach(partition -> steer(consumer, partition));
        }
      }
    }
  }

  private void steer(MessageListenerContainer consumer, TopicPartition partition) {
    boolean full = any(partition, PartitionWindow::full);
    if (full == consumer.isPartitionPauseRequested(partition)) {
      return; // an order that changes nothing would still wake the consumer
    }
    if (full) {
      consumer.pausePartition(partition);
    } else {
      consumer.resumePartition(partition);
    }
  }

  @Override
  public void onPartitionsRevokedBeforeCommit(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    giveBack(consumer, partitions, LONGEST_GIVING_BACK);
  }

  @Override
  public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    giveBack(consumer, partitions, Duration.ZERO);
  }

  /** On the consumer's thread, before its last commit. */
  @EventListener
  void stopping(ConsumerStoppingEvent event) {
    String listener = event.getContainer(MessageListenerContainer.class).getListenerId();
    Collection<TopicPartition> partitions = event.getPartitions();
    if (OrderPaidListener.ID.equals(listener) && partitions != null) {
      giveBack(event.getConsumer(), List.copyOf(partitions), LONGEST_GIVING_BACK);
    }
  }

  private void giveBack(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Duration patience) {
    List<PartitionWindow> ending =
        partitions.stream()
            .map(partition -> windows.remove(new Hand(consumer, partition)))
            .filter(Objects::nonNull)
            .toList();
    ending.forEach(PartitionWindow::close);
    admission.recheck();
    long deadline = System.nanoTime() + patience.toNanos();
    for (PartitionWindow window : ending) {
      try {
        Duration left = Duration.ofNanos(deadline - System.nanoTime());
        if (!window.awaitEnd(left) && !patience.isZero()) {
          log.warn("Gave {} back with calls under way; their claims expire", window.partition());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    partitions.stream()
        .filter(partition -> !any(partition, PartitionWindow::open))
        .forEach(progress::gone);
  }
}
