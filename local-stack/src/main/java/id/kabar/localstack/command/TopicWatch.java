package id.kabar.localstack.command;

import id.kabar.localstack.servers.ServerFailed;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Notes when each key was first sent to a topic, from the moment this is opened. The time is the
 * record's own: ours would be that of a JVM just started.
 */
final class TopicWatch implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);

  private final Map<String, CompletableFuture<Instant>> seen = new ConcurrentHashMap<>();
  private final KafkaConsumer<String, byte[]> consumer;
  private final Thread thread;
  private volatile boolean closed;

  TopicWatch(String bootstrapServers, String topic) {
    consumer = Records.consumer(bootstrapServers);
    var partitions = Records.partitions(consumer, topic);
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position); // now, not at the first poll
    thread = Thread.ofPlatform().daemon().name("topic-watch").start(this::watch);
  }

  /** When the key came, if it comes in time. */
  Optional<Instant> firstSeen(String key, Duration patience) {
    try {
      return Optional.of(arrival(key).get(patience.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new ServerFailed("The topic could not be watched: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private void watch() {
    try (consumer) {
      while (!closed) {
        for (ConsumerRecord<String, byte[]> each : consumer.poll(POLL)) {
          arrival(each.key()).complete(Instant.ofEpochMilli(each.timestamp()));
        }
      }
    } catch (WakeupException e) {
      if (!closed) {
        throw e;
      }
    }
  }

  private CompletableFuture<Instant> arrival(String key) {
    return seen.computeIfAbsent(key, _ -> new CompletableFuture<>());
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
