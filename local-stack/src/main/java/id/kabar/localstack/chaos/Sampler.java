package id.kabar.localstack.chaos;

import id.kabar.localstack.history.History;
import id.kabar.localstack.history.History.Partition;
import id.kabar.localstack.history.Run.Sample;
import id.kabar.localstack.history.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;

/** Writes down about once a second how far the consumers are, whenever Kafka answers. */
final class Sampler implements AutoCloseable {

  private static final Duration EVERY = Duration.ofSeconds(1);

  private final Topics topics;
  private final Notes notes;
  private final Thread thread;
  private volatile boolean leave;

  Sampler(String bootstrapServers, Notes notes) {
    this.topics = new Topics(bootstrapServers);
    this.notes = notes;
    this.thread = Thread.ofVirtual().name("sampler").start(this::sampleAndSample);
  }

  @Override
  public void close() {
    leave = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    topics.close();
  }

  private void sampleAndSample() {
    while (!leave) {
      try {
        Thread.sleep(EVERY);
        sample().forEach(notes::add);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private List<Sample> sample() {
    try {
      Map<Partition, Long> next = topics.progress();
      Map<Partition, Long> ends = topics.ends();
      Instant now = Instant.now();
      return ends.entrySet().stream()
          .filter(end -> end.getKey().topic().equals(History.TOPIC))
          .map(
              end ->
                  new Sample(
                      now,
                      end.getKey().number(),
                      next.getOrDefault(end.getKey(), 0L),
                      end.getValue()))
          .toList();
    } catch (IllegalStateException | KafkaException away) {
      return List.of(); // Kafka is broken on purpose: the gap in the samples says so
    }
  }
}
