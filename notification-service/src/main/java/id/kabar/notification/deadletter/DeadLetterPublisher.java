package id.kabar.notification.deadletter;

import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.Cause;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ConsumerAwareRecordRecoverer;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.stereotype.Component;

/**
 * Publishes what failed for good to the same partition of the dead-letter topic, and waits for the
 * broker's word. Without it the record is kept: the error handler seeks back, and nothing is
 * skipped.
 */
@Component
public class DeadLetterPublisher implements ConsumerAwareRecordRecoverer {

  private static final Logger log = LoggerFactory.getLogger(DeadLetterPublisher.class);

  private final DeadLetterPublishingRecoverer recoverer;
  private final DeadLetterSettings settings;
  private final Clock clock;
  private final MeterRegistry meters;

  DeadLetterPublisher(
      KafkaTemplate<byte[], byte[]> kafka,
      TopicSettings topics,
      DeadLetterSettings settings,
      Clock clock,
      MeterRegistry meters) {
    this.recoverer =
        new DeadLetterPublishingRecoverer(
            kafka,
            (record, thrown) -> new TopicPartition(topics.deadLetters(), record.partition()));
    recoverer.setFailIfSendResultIsError(true);
    recoverer.setWaitForSendResultTimeout(settings.publishTimeout());
    recoverer.setExceptionHeadersCreator(
        (headers, thrown, isKey, names) -> DeadLetterHeaders.write(headers, failure(thrown)));
    this.settings = settings;
    this.clock = clock;
    this.meters = meters;
  }

  @Override
  public void accept(
      ConsumerRecord<?, ?> record, @Nullable Consumer<?, ?> consumer, @Nullable Exception reason) {
    Exception thrown = reason != null ? reason : new IllegalStateException("no reason given");
    Failure failure = failure(thrown);
    try {
      recoverer.accept(record, consumer, thrown);
    } catch (RuntimeException e) {
      meters.counter("notification.dead_letter.unpublished").increment();
      log.error(
          "Kept {}-{}@{}: its dead letter cannot be published ({})",
          record.topic(),
          record.partition(),
          record.offset(),
          rootOf(e).getClass().getSimpleName());
      pause();
      throw e;
    }
    meters.counter("notification.dead_lettered", "cause", failure.cause().name()).increment();
    log.warn(
        "Dead-lettered {}-{}@{}, event {} of order {}, after {} attempts: {}, {}",
        record.topic(),
        record.partition(),
        record.offset(),
        failure.eventId(),
        failure.orderId(),
        failure.attempts(),
        failure.cause(),
        failure.detail());
  }

  /**
   * The handler comes back at once to a record that failed for good; a dead broker must not make it
   * spin.
   */
  private void pause() {
    try {
      Thread.sleep(settings.pause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Failure failure(Exception thrown) {
    Undelivered undelivered = Undelivered.in(thrown);
    return undelivered != null
        ? undelivered.failure()
        : Failure.ofRecord(
            Cause.UNEXPECTED, rootOf(thrown).getClass().getSimpleName(), clock.instant());
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
