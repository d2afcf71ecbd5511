package id.kabar.notification;

import id.kabar.notification.email.Admission;
import id.kabar.notification.email.AdmissionSettings;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Map<TopicPartition, PartitionWindow> windows = new ConcurrentHashMap<>();

  /** All partitions that were ever ours. */
  private final Set<TopicPartition> seen = ConcurrentHashMap.newKeySet();

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

  /** Takes a record in hand and returns at once; called on the consumer's thread. */
  void take(ConsumerRecord<byte[], byte @Nullable []> record, Acknowledgment offset) {
    PartitionWindow window =
        windows.computeIfAbsent(
            new TopicPartition(record.topic(), record.partition()), this::newWindow);
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

  /** Whether any record waits or is under way. */
  boolean any() {
    return windows.values().stream().anyMatch(PartitionWindow::busy);
  }

  private PartitionWindow newWindow(TopicPartition partition) {
    return new PartitionWindow(partition, mostUnfinished, LONGEST_SPAN, this);
  }

  @Override
  public void firstChanged(TopicPartition partition, boolean any) {
    if (windows.containsKey(partition)) {
      progress.firstInHand(partition, any);
    }
  }

  @Override
  public void finishedOne() {
    progress.finishedOne();
  }

  @Override
  public void filled(TopicPartition partition) {
    look();
  }

  @Override
  public void drained(TopicPartition partition) {
    look();
  }

  @Override
  public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    seen.addAll(partitions);
    look();
  }

  @Scheduled(fixedDelay = 250)
  void look() {
    steering.later(this::steer);
  }

  /**
   * Each partition is paused or not by what its window says now, wherever it is now: when several
   * of our consumers start, it wanders from one to the other, and an order would reach the wrong
   * one.
   */
  private void steer() {
    var listener = listeners.getListenerContainer(OrderPaidListener.ID);
    if (listener instanceof ConcurrentMessageListenerContainer<?, ?> consumers) {
      for (MessageListenerContainer consumer : consumers.getContainers()) {
        Collection<TopicPartition> assigned = consumer.getAssignedPartitions();
        if (assigned != null) {
          seen.stream().filter(assigned::contains).forEach(it -> steer(consumer, it));
        }
      }
    }
  }

  private void steer(MessageListenerContainer consumer, TopicPartition partition) {
    PartitionWindow window = windows.get(partition);
    if (window != null && window.full()) {
      consumer.pausePartition(partition);
    } else {
      consumer.resumePartition(partition);
    }
  }

  @Override
  public void onPartitionsRevokedBeforeCommit(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    giveBack(partitions, LONGEST_GIVING_BACK);
  }

  @Override
  public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    giveBack(partitions, Duration.ZERO);
  }

  /** On the consumer's thread, before its last commit. */
  @EventListener
  void stopping(ConsumerStoppingEvent event) {
    String listener = event.getContainer(MessageListenerContainer.class).getListenerId();
    Collection<TopicPartition> partitions = event.getPartitions();
    if (OrderPaidListener.ID.equals(listener) && partitions != null) {
      giveBack(List.copyOf(partitions), LONGEST_GIVING_BACK);
    }
  }

  private void giveBack(Collection<TopicPartition> partitions, Duration patience) {
    List<PartitionWindow> ending =
        partitions.stream().map(windows::remove).filter(Objects::nonNull).toList();
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
    partitions.forEach(progress::gone);
  }
}
