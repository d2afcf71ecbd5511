package id.kabar.notification;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;
import org.springframework.kafka.listener.RecordInterceptor;
import org.springframework.stereotype.Component;

/**
 * Remembers since when each partition's first unfinished record has been in hand, and when a record
 * was last finished. As an interceptor it is for a listener that finishes every record from which
 * it returns.
 */
@Component
class ListenerProgress
    implements RecordInterceptor<Object, Object>, ConsumerAwareRebalanceListener {

  private final Clock clock;
  private final Map<TopicPartition, Instant> inHandSince = new ConcurrentHashMap<>();
  private volatile Instant lastFinished;

  ListenerProgress(Clock clock, MeterRegistry meters) {
    this.clock = clock;
    this.lastFinished = clock.instant();
    TimeGauge.builder(
            "notification.last_progress",
            this,
            TimeUnit.MILLISECONDS,
            p -> p.lastFinished.toEpochMilli())
        .description("When a record was last finished: sent, skipped, or dead-lettered")
        .register(meters);
  }

  @Override
  public ConsumerRecord<Object, Object> intercept(
      ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
    inHandSince.putIfAbsent(partition(record), clock.instant());
    return record;
  }

  @Override
  public void success(ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
    inHandSince.remove(partition(record));
    finishedOne();
  }

  /** The first unfinished record of a partition is in hand from now on, or there is none. */
  void firstInHand(TopicPartition partition, boolean any) {
    if (any) {
      inHandSince.put(partition, clock.instant());
    } else {
      inHandSince.remove(partition);
    }
  }

  /** Some record is done with: sent, skipped, or dead-lettered. */
  void finishedOne() {
    lastFinished = clock.instant();
  }

  /** A partition went to somebody else. */
  void gone(TopicPartition partition) {
    inHandSince.remove(partition);
  }

  /** What happened before a pause on purpose says nothing: all waiting begins now. */
  void startAnew() {
    inHandSince.replaceAll((partition, since) -> clock.instant());
    finishedOne();
  }

  Instant lastFinished() {
    return lastFinished;
  }

  /** Returns how long the partition that waits longest has had the same record. */
  Optional<Duration> longestInHand() {
    return inHandSince.values().stream()
        .min(Comparator.naturalOrder())
        .map(since -> Duration.between(since, clock.instant()));
  }

  @Override
  public void onPartitionsRevokedAfterCommit(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    partitions.forEach(inHandSince::remove);
  }

  @Override
  public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
    partitions.forEach(inHandSince::remove);
  }

  private static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
