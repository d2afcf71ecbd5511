package id.kabar.notification;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/**
 * No record is ever skipped: one that its listener refuses comes again, for ever; and after any
 * other failure of the consumer it goes back to the first record that no listener has had. Spring
 * Kafka commits between a poll and the listener; if that fails, in a rebalance or because somebody
 * woke the consumer up, it drops what it has polled, and the next commit would go past it.
 */
final class ComeAgain extends DefaultErrorHandler {

  private static final Logger log = LoggerFactory.getLogger(ComeAgain.class);

  /** Of one question for the committed offsets; it is asked again. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final BiFunction<Consumer<?, ?>, TopicPartition, OptionalLong> next;

  /**
   * @param pause before a refused record comes again
   * @param next the offset behind the last record that a listener had; empty if it had none yet, or
   *     had them one by one, so that the committed offset says the same
   */
  ComeAgain(Duration pause, BiFunction<Consumer<?, ?>, TopicPartition, OptionalLong> next) {
    super(new FixedBackOff(pause.toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS));
    this.next = next;
    // without this some kinds of exceptions would be logged and skipped
    setClassifications(Map.of(), true);
    setLogLevel(org.springframework.kafka.KafkaException.Level.DEBUG);
  }

  @Override
  public void handleOtherException(
      Exception thrown,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batch) {
    goBack(consumer, container::isRunning);
    log.warn("Went back to what is not in hand yet, after {}", thrown.toString());
  }

  /** On the consumer's thread. Polling on without it would skip records. */
  void goBack(Consumer<?, ?> consumer, BooleanSupplier running) {
    Set<TopicPartition> unknown = new HashSet<>();
    for (TopicPartition partition : consumer.assignment()) {
      next.apply(consumer, partition)
          .ifPresentOrElse(
              offset -> consumer.seek(partition, offset), () -> unknown.add(partition));
    }
    boolean back = unknown.isEmpty();
    // Who asks too long loses the partitions, and with them the wrong positions.
    while (!back && running.getAsBoolean()) {
      back = backToCommitted(consumer, unknown);
    }
  }

  private static boolean backToCommitted(Consumer<?, ?> consumer, Set<TopicPartition> partitions) {
    try {
      Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(partitions, PATIENCE);
      for (TopicPartition partition : partitions) {
        OffsetAndMetadata offset = committed.get(partition);
        if (offset == null) {
          consumer.seekToBeginning(Set.of(partition));
        } else {
          consumer.seek(partition, offset.offset());
        }
      }
      return true;
    } catch (WakeupException again) {
      return false;
    } catch (KafkaException notYet) {
      log.warn("The committed offsets are not known yet, asking again: {}", notYet.toString());
      return false;
    }
  }
}
