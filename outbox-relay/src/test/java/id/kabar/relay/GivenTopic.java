package id.kabar.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.testservers.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A topic of its own on the shared broker, and all that is in it. */
final class GivenTopic {

  private final String name;

  private GivenTopic(String name) {
    this.name = name;
  }

  static GivenTopic fresh() {
    GivenTopic topic = absent();
    TestKafka.shared().createTopic(topic.name, 3);
    return topic;
  }

  /** With a limit on the size of its batches. */
  static GivenTopic limitedTo(int maxMessageBytes) {
    GivenTopic topic = absent();
    try (Admin admin = admin()) {
      NewTopic limited = new NewTopic(topic.name, 3, (short) 1);
      limited.configs(Map.of("max.message.bytes", Integer.toString(maxMessageBytes)));
      admin.createTopics(List.of(limited)).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
    return topic;
  }

  static GivenTopic absent() {
    return new GivenTopic("topic-" + UUID.randomUUID());
  }

  String name() {
    return name;
  }

  /** A record by what it says of itself. */
  record Message(String key, UUID id, String value, Map<String, String> headers, int partition) {}

  /** Everything in the topic at this moment; the order within a key is the order in Kafka. */
  List<Message> messages() {
    Map<String, Object> config =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            TestKafka.shared().bootstrapServers(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            "5000");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name).stream()
              .map(p -> new TopicPartition(name, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<Message> messages = new ArrayList<>();
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> messages.add(message(record)));
      }
      return messages;
    }
  }

  private static Message message(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    record.headers().forEach(h -> headers.put(h.key(), new String(h.value(), UTF_8)));
    return new Message(
        new String(record.key(), UTF_8),
        UUID.fromString(headers.get("ce_id")),
        new String(record.value(), UTF_8),
        headers,
        record.partition());
  }

  List<UUID> ids() {
    return messages().stream().map(Message::id).toList();
  }

  /** The ids of each key in the order of their first arrival: what a deduplicating reader sees. */
  static Map<String, List<UUID>> firstArrivals(List<Message> messages) {
    Map<String, List<UUID>> byKey = new LinkedHashMap<>();
    Set<UUID> seen = new HashSet<>();
    for (Message message : messages) {
      if (seen.add(message.id())) {
        byKey.computeIfAbsent(message.key(), key -> new ArrayList<>()).add(message.id());
      }
    }
    return byKey;
  }

  void delete() {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(name)).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  static Admin admin() {
    return Admin.create(
        Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, TestKafka.shared().bootstrapServers()));
  }
}
