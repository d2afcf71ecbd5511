package id.kabar.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.history.History;
import id.kabar.localstack.history.History.TopicRecord;
import id.kabar.localstack.history.Topics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** The topics and the consumers' offsets, to be read and to be meddled with. */
final class Broker implements AutoCloseable {

  private static final int PATIENCE_SECONDS = 60;

  private final String bootstrapServers;
  private final Admin admin;
  private final Topics topics;

  Broker(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(connection());
    this.topics = new Topics(bootstrapServers);
  }

  /** The records of an event in the event topic. */
  List<TopicRecord> recordsOf(String event) {
    return topics.records().stream()
        .filter(record -> record.topic().equals(History.TOPIC))
        .filter(record -> event.equals(record.eventId()))
        .toList();
  }

  /** Records of all topics that tell a text in one of their headers. */
  List<TopicRecord> headersThatTell(String text) {
    return topics.records().stream()
        .filter(record -> record.headers().values().stream().anyMatch(it -> it.contains(text)))
        .toList();
  }

  /** Writes the record once more, as a relay does that did not hear the broker's answer. */
  void repeat(TopicRecord record) {
    var again =
        new ProducerRecord<>(
            record.topic(), record.partition(), bytes(record.key()), bytes(record.value()));
    record.headers().forEach((name, value) -> again.headers().add(name, bytes(value)));
    try (var producer =
        new KafkaProducer<>(connection(), new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(again).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("the record was not written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while writing a record", e);
    }
  }

  /** How many records of both topics nobody has finished yet. */
  long lag() {
    var progress = topics.progress();
    return topics.ends().entrySet().stream()
        .mapToLong(end -> end.getValue() - progress.getOrDefault(end.getKey(), 0L))
        .sum();
  }

  /** Sets a consumer group back to the beginning of a topic; none of its consumers may be alive. */
  void rewind(String group, String topic) {
    Map<TopicPartition, OffsetAndMetadata> beginning =
        topics.ends().keySet().stream()
            .filter(partition -> partition.topic().equals(topic))
            .collect(
                Collectors.toMap(
                    partition -> new TopicPartition(topic, partition.number()),
                    _ -> new OffsetAndMetadata(0)));
    Kabar.patiently("group %s is empty and can be set back".formatted(group))
        .until(() -> isSetBack(group, beginning));
  }

  private boolean isSetBack(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
    try {
      admin.alterConsumerGroupOffsets(group, offsets).all().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownMemberIdException) {
        return false; // the group still believes in a consumer that has gone
      }
      throw new IllegalStateException("group %s was not set back".formatted(group), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("group %s was not set back".formatted(group), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while setting a group back", e);
    }
  }

  @Override
  public void close() {
    topics.close();
    admin.close();
  }

  private Map<String, Object> connection() {
    return Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
  }

  private static byte[] bytes(@Nullable String text) {
    return text == null ? new byte[0] : text.getBytes(UTF_8);
  }
}
