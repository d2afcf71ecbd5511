package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.testservers.TestKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes events as the relay does, and looks into topics. */
final class OrderPaidRecords {

  static final String ADDRESS = "siti.rahayu@pelanggan.example";

  private static final KafkaProducer<byte[], byte[]> PRODUCER =
      new KafkaProducer<>(
          Map.of(
              "bootstrap.servers",
              TestKafka.shared().bootstrapServers(),
              "acks",
              "all",
              "max.block.ms",
              20_000),
          new ByteArraySerializer(),
          new ByteArraySerializer());

  private final String topic;

  private OrderPaidRecords(String topic) {
    this.topic = topic;
  }

  static OrderPaidRecords to(String topic) {
    return new OrderPaidRecords(topic);
  }

  /** Pays a new order; returns the event's id. */
  UUID paid() {
    UUID event = UUID.randomUUID();
    paid(event, UUID.randomUUID());
    return event;
  }

  void paid(UUID event, UUID order) {
    value(order.toString(), json(event, order), "id.kabar.OrderPaid.v1");
  }

  void paidInTrace(UUID event, String traceparent) {
    var record =
        record(null, event.toString(), json(event, UUID.randomUUID()), "id.kabar.OrderPaid.v1");
    record.headers().add("traceparent", traceparent.getBytes(UTF_8));
    send(record);
  }

  static String json(UUID event, UUID order) {
    return """
        {"eventId":"%s","orderId":"%s","customerEmail":"%s","totalAmount":15000000,\
        "currency":"IDR","paidAt":"2026-11-30T10:15:30.123456Z"}"""
        .formatted(event, order, ADDRESS);
  }

  void value(String key, String value, String type) {
    send(record(null, key, value, type));
  }

  /** Puts a record on a given partition. */
  void value(int partition, String key, String value, String type) {
    send(record(partition, key, value, type));
  }

  private ProducerRecord<byte[], byte[]> record(
      Integer partition, String key, String value, String type) {
    var record =
        new ProducerRecord<>(
            topic,
            partition,
            key == null ? null : key.getBytes(UTF_8),
            value == null ? null : value.getBytes(UTF_8));
    if (type != null) {
      record.headers().add("ce_type", type.getBytes(UTF_8));
    }
    record.headers().add("ce_source", "/order-service".getBytes(UTF_8));
    return record;
  }

  private static void send(ProducerRecord<byte[], byte[]> record) {
    try {
      PRODUCER.send(record).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Reads everything that is in a topic right now. */
  List<ConsumerRecord<byte[], byte[]>> all() {
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of("bootstrap.servers", TestKafka.shared().bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      Collection<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
      return records;
    }
  }
}
