package id.kabar.localstack.command;

import static java.util.Objects.requireNonNull;

import id.kabar.localstack.servers.ServerFailed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads topics without a group: looking leaves no trace. */
final class Records {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Records() {}

  static KafkaConsumer<String, byte[]> consumer(String bootstrapServers) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "enable.auto.commit",
            false,
            "allow.auto.create.topics",
            false,
            "auto.offset.reset",
            "earliest",
            "default.api.timeout.ms",
            (int) PATIENCE.toMillis());
    return new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
  }

  static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String topic) {
    try {
      Map<String, List<PartitionInfo>> topics = consumer.listTopics(PATIENCE);
      List<PartitionInfo> partitions = topics.get(topic);
      if (partitions == null) {
        String names =
            topics.keySet().stream()
                .filter(name -> !name.startsWith("__"))
                .sorted()
                .collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
            "There is no topic '%s'. There are: %s."
                .formatted(topic, names.isEmpty() ? "none yet" : names));
      }
      return partitions.stream().map(p -> new TopicPartition(topic, p.partition())).toList();
    } catch (KafkaException e) {
      throw new ServerFailed(
          "Kafka does not answer (%s). `./kabar start kafka` if it is down."
              .formatted(e.getMessage()),
          e);
    }
  }

  /** What a partition holds: offsets from {@code beginning} up to, not including, {@code end}. */
  record Span(TopicPartition partition, long beginning, long end) {

    long size() {
      return end - beginning;
    }
  }

  static List<Span> spans(KafkaConsumer<?, ?> consumer, List<TopicPartition> partitions) {
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    return partitions.stream()
        .map(p -> new Span(p, requireNonNull(beginnings.get(p)), requireNonNull(ends.get(p))))
        .toList();
  }
}
