package id.kabar.notification;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.stereotype.Component;

/** Asks the broker how much waits: a consumer that no longer fetches does not know it of itself. */
@Component
class Backlog implements DisposableBean {

  private static final int LONGEST_CALL_MILLIS = 3_000;

  private final Map<String, Object> connection;
  private @Nullable Admin admin;

  Backlog(KafkaAdmin kafkaAdmin) {
    this.connection = new HashMap<>(kafkaAdmin.getConfigurationProperties());
    connection.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LONGEST_CALL_MILLIS);
    connection.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, LONGEST_CALL_MILLIS);
  }

  /** Returns how many records wait for a group on these partitions; nothing if nobody tells. */
  synchronized OptionalLong of(String group, Collection<TopicPartition> partitions) {
    try {
      Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
      Map<TopicPartition, Long> positions = committed(group);
      // a group that never committed will begin with the earliest record
      offsets(partitions, OffsetSpec.earliest()).forEach(positions::putIfAbsent);
      return OptionalLong.of(
          ends.entrySet().stream()
              .mapToLong(end -> end.getValue() - positions.getOrDefault(end.getKey(), 0L))
              .filter(waiting -> waiting > 0)
              .sum());
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      return OptionalLong
          .empty(); // the broker is away: nobody makes progress, and no restart helps
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    }
  }

  private Map<TopicPartition, Long> committed(String group)
      throws ExecutionException, InterruptedException, TimeoutException {
    Map<TopicPartition, Long> committed = new HashMap<>();
    admin()
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get(LONGEST_CALL_MILLIS, TimeUnit.MILLISECONDS)
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                committed.put(partition, offset.offset());
              }
            });
    return committed;
  }

  private Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec which)
      throws ExecutionException, InterruptedException, TimeoutException {
    return admin()
        .listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> which)))
        .all()
        .get(LONGEST_CALL_MILLIS, TimeUnit.MILLISECONDS)
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  private Admin admin() {
    if (admin == null) {
      admin = Admin.create(connection);
    }
    return admin;
  }

  @Override
  public synchronized void destroy() {
    if (admin != null) {
      admin.close();
    }
  }
}
