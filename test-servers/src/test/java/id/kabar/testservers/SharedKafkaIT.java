package id.kabar.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SharedKafkaIT {

  private final TestKafka kafka = TestKafka.shared();

  @Test
  void aTopicHasItsPartitionsAndMayBeAskedForTwice() throws Exception {
    kafka.createTopic("asked-twice", 3);
    kafka.createTopic("asked-twice", 3);

    try (Admin admin = Admin.create(bootstrap())) {
      assertThat(
              admin
                  .describeTopics(List.of("asked-twice"))
                  .allTopicNames()
                  .get()
                  .get("asked-twice")
                  .partitions())
          .hasSize(3);
    }
  }

  @Test
  void anOutageKeepsPortAndRecords() throws Exception {
    kafka.createTopic("kept", 1);
    send("kept", "before the outage");

    kafka.stop();
    assertThat(TestKafka.answers(kafka.bootstrapServers())).isFalse();
    kafka.start();

    send("kept", "after the outage");
    assertThat(read("kept")).containsExactly("before the outage", "after the outage");
  }

  @Test
  void aTopicIsNeverCreatedByAccident() {
    try (KafkaProducer<String, String> producer = producer(Duration.ofSeconds(2))) {
      assertThatThrownBy(() -> producer.send(new ProducerRecord<>("nobody-made-me", "x")).get())
          .hasCauseInstanceOf(TimeoutException.class)
          .hasMessageContaining("not present in metadata");
    }
  }

  private void send(String topic, String value) throws Exception {
    try (KafkaProducer<String, String> producer = producer(Duration.ofSeconds(30))) {
      producer.send(new ProducerRecord<>(topic, value)).get(30, TimeUnit.SECONDS);
    }
  }

  private List<String> read(String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(bootstrap(), new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      List<String> values = new ArrayList<>();
      Awaitility.await()
          .until(
              () -> {
                for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofMillis(100))) {
                  values.add(r.value());
                }
                return consumer.position(partition) >= end;
              });
      return values;
    }
  }

  private KafkaProducer<String, String> producer(Duration patience) {
    Map<String, Object> settings = new HashMap<>(bootstrap());
    settings.put("max.block.ms", patience.toMillis());
    return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
  }

  private Map<String, Object> bootstrap() {
    return Map.of("bootstrap.servers", kafka.bootstrapServers());
  }
}
