package id.kabar.notification.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.Cause;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.ListenerExecutionFailedException;

class DeadLetterPublisherTest {

  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  private final ConsumerRecord<byte[], byte[]> record =
      new ConsumerRecord<>("order.paid", 2, 7, "key".getBytes(UTF_8), "value".getBytes(UTF_8));
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

  @Test
  void aDeadLetterKeepsPartitionKeyAndValueAndSaysWhy() {
    var producer = producer(true);
    publisher(producer)
        .accept(
            record,
            null,
            new ListenerExecutionFailedException(
                "Listener failed",
                new Undelivered.ForGood(
                    Failure.ofRecord(Cause.REJECTED, "rejected with 422", NOON))));
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
  void anErrorOfOurOwnIsNamedByItsKindNotByItsWords() {
    var producer = producer(true);
    publisher(producer).accept(record, null, new IllegalStateException("budi@example.com"));
    List<String> headers = new ArrayList<>();
    producer
        .history()
        .getFirst()
        .headers()
        .forEach(header -> headers.add(new String(header.value(), UTF_8)));
    assertThat(headers)
        .contains("UNEXPECTED", "IllegalStateException")
        .noneMatch(value -> value.contains("budi"));
  }

  @Test
  void aRefusedDeadLetterKeepsItsRecordAndCostsAPause() {
    var producer = producer(false);
    Thread.ofVirtual().start(() -> refuseAsSoonAsSent(producer));
    long started = System.nanoTime();
    assertThatExceptionOfType(KafkaException.class)
        .isThrownBy(() -> publisher(producer).accept(record, null, new IllegalStateException()));
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThanOrEqualTo(PAUSE);
    assertThat(meters.counter("notification.dead_letter.unpublished").count()).isEqualTo(1);
  }

  private static void refuseAsSoonAsSent(MockProducer<byte[], byte[]> producer) {
    while (!producer.errorNext(new RecordTooLargeException())) {
      Thread.onSpinWait();
    }
  }

  private static MockProducer<byte[], byte[]> producer(boolean confirms) {
    return new MockProducer<>(confirms, null, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private DeadLetterPublisher publisher(MockProducer<byte[], byte[]> producer) {
    return new DeadLetterPublisher(
        new KafkaTemplate<>(() -> producer),
        new TopicSettings(
            "order.paid", "order.paid.DLT", 3, Duration.ofDays(7), Duration.ofDays(30)),
        new DeadLetterSettings(
            "group", Duration.ofSeconds(5), PAUSE, 5, 50, 500, Duration.ofDays(7)),
        Clock.systemUTC(),
        meters);
  }
}
