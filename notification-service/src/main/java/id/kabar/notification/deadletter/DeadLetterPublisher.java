package id.kabar.notification.deadletter;

import id.kabar.notification.event.TopicSettings;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.stereotype.Component;

/**
 * Publishes what failed for good to the same partition of the dead-letter topic, and waits for the
 * broker's word. Without it the record has to be kept, and nothing is skipped.
 */
@Component
public class DeadLetterPublisher {

  private static final Logger log = LoggerFactory.getLogger(DeadLetterPublisher.class);

  private final DeadLetterPublishingRecoverer recoverer;
  private final KafkaTemplate<byte[], byte[]> kafka;
  private final TopicSettings topics;
  private final MeterRegistry meters;

  DeadLetterPublisher(
      KafkaTemplate<byte[], byte[]> kafka,
      TopicSettings topics,
      DeadLetterSettings settings,
      MeterRegistry meters) {
    this.kafka = kafka;
    this.topics = topics;
    this.recoverer =
        new DeadLetterPublishingRecoverer(kafka, (record, thrown) -> destination(record));
    recoverer.setFailIfSendResultIsError(true);
    recoverer.setWaitForSendResultTimeout(settings.publishTimeout());
    recoverer.setExceptionHeadersCreator(
        (headers, thrown, isKey, names) -> {
          if (thrown instanceof Undelivered undelivered) {
            DeadLetterHeaders.write(headers, undelivered.failure());
          }
        });
    this.meters = meters;
  }

  /** Any partition, if somebody made the dead-letter topic with fewer of them. */
  private TopicPartition destination(ConsumerRecord<?, ?> record) {
    int partitions = kafka.partitionsFor(topics.deadLetters()).size();
    return new TopicPartition(
        topics.deadLetters(), record.partition() < partitions ? record.partition() : -1);
  }

  /**
   * Publishes a dead letter; whatever the broker says, it takes a bounded time.
   *
   * @return false if it could not be published; the caller waits before it tries again
   */
  public boolean publish(ConsumerRecord<?, ?> record, Failure failure) {
    try {
      recoverer.accept(record, null, new Undelivered(failure));
    } catch (RuntimeException e) {
      meters.counter("notification.dead_letter.unpublished").increment();
      log.error(
          "Kept {}-{}@{}: its dead letter cannot be published ({})",
          record.topic(),
          record.partition(),
          record.offset(),
          rootOf(e).getClass().getSimpleName());
      return false;
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
    return true;
  }

  private static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
