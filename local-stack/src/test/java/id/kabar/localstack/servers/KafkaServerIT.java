package id.kabar.localstack.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaServerIT {

  private static final TopicPartition PARTITION = new TopicPartition("kept", 0);

  @TempDir static Path home;
  private static KafkaServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new KafkaServer(home, Ports.free(), Ports.free(), home.resolve("kafka.log"));
    server.diesWithThisJvm();
    server.start();
    try (Admin admin = Admin.create(bootstrap())) {
      admin
          .createTopics(List.of(new NewTopic("kept", Optional.of(1), Optional.empty())))
          .all()
          .get();
    }
  }

  @AfterAll
  static void nothingStays() {
    server.kill();
  }

  @Test
  void killedBrokerKeepsWhatItHasAcknowledged() throws Exception {
    long before = end();
    send("one");
    send("two");

    server.kill();
    server.start();

    assertThat(valuesFrom(before)).containsExactly("one", "two");
  }

  @Test
  void stoppedBrokerIsBackWithItsRecords() throws Exception {
    long before = end();
    send("three");

    server.stop();
    assertThat(server.isAlive()).isFalse();
    server.start();

    assertThat(valuesFrom(before)).containsExactly("three");
  }

  @Test
  void frozenBrokerTakesTheRecordAfterItsThaw() throws Exception {
    long before = end();
    try (KafkaProducer<String, String> producer = producer()) {
      producer.partitionsFor("kept");
      server.freeze();
      Future<RecordMetadata> sent = producer.send(new ProducerRecord<>("kept", "four"));
      await().during(Duration.ofMillis(500)).until(() -> !sent.isDone());

      server.thaw();

      sent.get(30, TimeUnit.SECONDS);
      assertThat(valuesFrom(before)).containsExactly("four");
    }
  }

  private static void send(String value) throws Exception {
    try (KafkaProducer<String, String> producer = producer()) {
      producer.send(new ProducerRecord<>("kept", value)).get(30, TimeUnit.SECONDS);
    }
  }

  private static long end() {
    try (KafkaConsumer<String, String> consumer = consumer()) {
      return consumer.endOffsets(List.of(PARTITION)).get(PARTITION);
    }
  }

  private static List<String> valuesFrom(long offset) {
    long end = end();
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = consumer()) {
      consumer.assign(List.of(PARTITION));
      consumer.seek(PARTITION, offset);
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(r -> values.add(r.value()));
                return consumer.position(PARTITION) >= end;
              });
    }
    return values;
  }

  private static KafkaProducer<String, String> producer() {
    return new KafkaProducer<>(bootstrap(), new StringSerializer(), new StringSerializer());
  }

  private static KafkaConsumer<String, String> consumer() {
    return new KafkaConsumer<>(bootstrap(), new StringDeserializer(), new StringDeserializer());
  }

  private static Map<String, Object> bootstrap() {
    return Map.of("bootstrap.servers", server.bootstrapServers());
  }
}
