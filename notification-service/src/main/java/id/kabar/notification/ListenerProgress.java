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
 * Remembers since when each partition's record has been in hand, and when one was last finished.
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

  /** A record is done with: sent, skipped, or dead-lettered. */
  void finished(ConsumerRecord<?, ?> record) {
    inHandSince.remove(partition(record));
    lastFinished = clock.instant();
  }

  /** For a listener that finishes every record from which it returns. */
  RecordInterceptor<Object, Object> finishingOnReturn() {
    return new RecordInterceptor<>() {
      @Override
      public ConsumerRecord<Object, Object> intercept(
          ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
        return ListenerProgress.this.intercept(record, consumer);
      }

      @Override
      public void success(
          ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
        finished(record);
      }
    };
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
