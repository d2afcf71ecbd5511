package id.kabar.notification.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.Cause;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.core.KafkaTemplate;

class DeadLetterPublisherTest {

  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Failure REJECTED =
      Failure.ofRecord(Cause.REJECTED, "rejected with 422", Instant.parse("2026-11-30T12:00:00Z"));

  private final ConsumerRecord<byte[], byte[]> record =
      new ConsumerRecord<>("order.paid", 2, 7, "key".getBytes(UTF_8), "value".getBytes(UTF_8));
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void aDeadLetterKeepsPartitionKeyAndValueAndSaysWhy() {
    var producer = producer(true);
    assertThat(publisher(producer).publish(record, REJECTED)).isTrue();
    ProducerRecord<byte[], byte[]> dead = producer.history().getFirst();
    assertThat(dead.topic()).isEqualTo("order.paid.DLT");
    assertThat(dead.partition()).isEqualTo(2);
    assertThat(dead.key()).isEqualTo(record.key());
    assertThat(dead.value()).isEqualTo(record.value());
    assertThat(new String(dead.headers().lastHeader("dead-letter-cause").value(), UTF_8))
        .isEqualTo("REJECTED");
    assertThat(meters.counter("notification.dead_lettered", "cause", "REJECTED").count())
        .isEqualTo(1);
  }

  @Test
  void aDeadLetterTopicWithFewerPartitionsTakesItWhereItCan() {
    var producer = producer(true, 1);
    assertThat(publisher(producer).publish(record, REJECTED)).isTrue();
    assertThat(producer.history().getFirst().partition()).isNull();
  }

  @Test
  void aRefusedDeadLetterKeepsItsRecord() {
    var producer = producer(false);
    assertThat(publisher(producer).publish(record, REJECTED)).isFalse();
    assertThat(meters.counter("notification.dead_letter.unpublished").count()).isEqualTo(1);
  }

  private static MockProducer<byte[], byte[]> producer(boolean confirms) {
    return producer(confirms, 3);
  }

  private static MockProducer<byte[], byte[]> producer(boolean confirms, int partitions) {
    Node broker = new Node(1, "localhost", 9092);
    List<PartitionInfo> deadLetters =
        IntStream.range(0, partitions)
            .mapToObj(i -> new PartitionInfo("order.paid.DLT", i, broker, null, null))
            .toList();
    return new MockProducer<>(
        new Cluster("cluster", List.of(broker), deadLetters, Set.of(), Set.of()),
        confirms,
        null,
        new ByteArraySerializer(),
        new ByteArraySerializer()) {
      @Override
      public synchronized Future<RecordMetadata> send(
          ProducerRecord<byte[], byte[]> record, Callback callback) {
        Future<RecordMetadata> sent = super.send(record, callback);
        if (!confirms) {
          errorNext(new RecordTooLargeException());
        }
        return sent;
      }

      @Override
      public void close(Duration timeout) {
        // shared, as Spring's own factory shares its producer
      }
    };
  }

  private DeadLetterPublisher publisher(MockProducer<byte[], byte[]> producer) {
    return new DeadLetterPublisher(
        new KafkaTemplate<>(() -> producer),
        new TopicSettings(
            "order.paid", "order.paid.DLT", 3, Duration.ofDays(7), Duration.ofDays(30)),
        new DeadLetterSettings(
            "group", Duration.ofSeconds(5), PAUSE, 5, 50, 100, 500, Duration.ofDays(7)),
        meters);
  }
}
