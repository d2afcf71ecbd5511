package id.kabar.systemtests.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import id.kabar.systemtests.history.History.Partition;
import id.kabar.systemtests.history.History.TopicRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads all topics of a broker from their first record to their last, and the groups' offsets. */
public final class Topics implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(200);

  private final String bootstrapServers;
  private final Admin admin;

  public Topics(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  /** Where the consumers of each partition go on; of several groups, the foremost. */
  public Map<Partition, Long> progress() {
    Map<Partition, Long> progress = new HashMap<>();
    for (GroupListing group :
        await(admin.listGroups(ListGroupsOptions.forConsumerGroups()).all())) {
      await(admin.listConsumerGroupOffsets(group.groupId()).partitionsToOffsetAndMetadata())
          .forEach(
              (partition, offset) -> {
                if (offset != null) { // null where the group has never committed
                  progress.merge(
                      new Partition(partition.topic(), partition.partition()),
                      offset.offset(),
                      Math::max);
                }
              });
    }
    return progress;
  }

  public List<TopicRecord> records() {
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ConsumerConfig.EXCLUDE_INTERNAL_TOPICS_CONFIG,
                true,
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      return records(consumer);
    }
  }

  private static List<TopicRecord> records(Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions =
        consumer.listTopics(PATIENCE).values().stream()
            .flatMap(List::stream)
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .filter(partition -> !partition.topic().startsWith("__"))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, PATIENCE);

    List<TopicRecord> records = new ArrayList<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey(), PATIENCE) < end.getValue())) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the topics cannot be read to their ends: " + ends);
      }
      consumer.poll(POLL).forEach(record -> records.add(read(record)));
    }
    records.sort(
        comparing(TopicRecord::topic)
            .thenComparingInt(TopicRecord::partition)
            .thenComparingLong(TopicRecord::offset));
    return records;
  }

  @Override
  public void close() {
    admin.close(PATIENCE);
  }

  private static TopicRecord read(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      String value = text(header.value());
      headers.put(header.key(), value == null ? "" : value);
    }
    return new TopicRecord(
        record.topic(),
        record.partition(),
        record.offset(),
        Instant.ofEpochMilli(record.timestamp()),
        text(record.key()),
        headers,
        text(record.value()));
  }

  private static @Nullable String text(byte @Nullable [] bytes) {
    return bytes == null ? null : new String(bytes, UTF_8);
  }

  private static <T> T await(KafkaFuture<T> answer) {
    try {
      return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while asking Kafka", e);
    }
  }
}
