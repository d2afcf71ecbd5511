package id.kabar.localstack.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import id.kabar.localstack.history.History.Partition;
import id.kabar.localstack.history.History.TopicRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListGroupsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * All topics of a broker, from their first record to their last, and how far their consumers are.
 */
public final class Topics implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(200);

  private final String bootstrapServers;
  private final Admin admin;

  public Topics(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  /** The offset the next record of each partition will get; Kafka's own topics are left out. */
  public Map<Partition, Long> ends() {
    Set<String> names = await(admin.listTopics().names());
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    await(admin.describeTopics(names).allTopicNames())
        .forEach(
            (name, topic) ->
                topic
                    .partitions()
                    .forEach(
                        partition ->
                            latest.put(
                                new TopicPartition(name, partition.partition()),
                                OffsetSpec.latest())));
    Map<Partition, Long> ends = new HashMap<>();
    await(admin.listOffsets(latest).all())
        .forEach((partition, end) -> ends.put(partition(partition), end.offset()));
    return ends;
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
                  progress.merge(partition(partition), offset.offset(), Math::max);
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
                ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                false),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      Map<TopicPartition, Long> ends = new HashMap<>();
      ends()
          .forEach(
              (partition, end) ->
                  ends.put(new TopicPartition(partition.topic(), partition.number()), end));
      return records(consumer, ends);
    }
  }

  private static List<TopicRecord> records(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    List<TopicPartition> partitions = List.copyOf(ends.keySet());
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);

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

  private static Partition partition(TopicPartition partition) {
    return new Partition(partition.topic(), partition.partition());
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
