package id.kabar.localstack.command;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.localstack.LocalStack;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands on a stack whose PostgreSQL and Kafka are real and whose services are fakes. */
class KabarIT {

  @TempDir static Path root;
  private static FakeCheckout checkout;

  @BeforeAll
  static void up() throws Exception {
    checkout = new FakeCheckout(root);
    CommandRun up = checkout.kabar("up", "-d");
    LocalStack.at(checkout.data(), 0).diesWithThisJvm();
    assertThat(up.code()).as(up.errors()).isZero();
    assertThat(up.output())
        .contains("✓ postgres", "✓ kafka", "✓ outbox-relay#2", "the flow works")
        .contains("http://localhost:%d/orders".formatted(checkout.port(8080)))
        .contains("user operator, password");
    try (Admin admin = Admin.create(kafka())) {
      admin
          .createTopics(List.of(new NewTopic("order.paid", Optional.of(1), Optional.empty())))
          .all()
          .get();
    }
  }

  @AfterAll
  static void down() {
    CommandRun down = checkout.kabar("down", "--wipe");
    assertThat(down.output()).contains("Stopped", "Deleted");
    assertThat(checkout.data()).doesNotExist();
  }

  @Test
  void nextCommandFindsEveryProcessOfTheDetachedStack() {
    JsonNode status = status();

    assertThat(status.get("running").asBoolean()).isTrue();
    assertThat(status.get("instances").valueStream().map(each -> each.get("name").asString()))
        .contains(
            "postgres",
            "kafka",
            "email-stub",
            "order-service",
            "outbox-relay#1",
            "outbox-relay#2",
            "notification-service#1");
    assertThat(status.get("instances").valueStream().map(each -> each.get("health").asString()))
        .containsOnly("UP");
    assertThat(status.get("instances").valueStream())
        .allMatch(each -> ProcessHandle.of(each.get("pid").asLong()).isPresent());
  }

  @Test
  void killedInstanceIsSeenAsDownUntilItIsStartedAgain() {
    assertThat(checkout.kabar("kill", "outbox-relay#2").output())
        .contains("is killed. `./kabar start outbox-relay#2` brings it back.");
    assertThat(health("outbox-relay#2")).isEqualTo("DOWN");
    assertThat(checkout.kabar("status").code()).isEqualTo(Kabar.NOT_RUNNING);
    CommandRun again = checkout.kabar("kill", "outbox-relay#2");
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.errors()).contains("outbox-relay#2 does not run.");

    assertThat(checkout.kabar("start", "outbox-relay#2").output()).contains("is ready after");
    assertThat(health("outbox-relay#2")).isEqualTo("UP");
    assertThat(checkout.kabar("start", "outbox-relay#2").output()).contains("runs already");
  }

  @Test
  void frozenInstanceIsSeenAsFrozenUntilItIsThawed() {
    checkout.kabar("freeze", "notification-service");
    assertThat(health("notification-service#1")).isEqualTo("FROZEN");

    checkout.kabar("thaw", "notification-service");
    assertThat(health("notification-service#1")).isEqualTo("UP");
  }

  @Test
  void killedDatabaseIsBackWithItsData() {
    checkout.kabar(
        "psql", "orders", "--built-in", "-c", "create table kept as select 42 as answer");

    checkout.kabar("kill", "postgres");
    assertThat(checkout.kabar("psql", "orders", "--built-in", "-c", "select 1").errors())
        .contains("`./kabar start postgres` if it is down");
    checkout.kabar("start", "postgres");

    assertThat(checkout.kabar("psql", "orders", "--built-in", "-c", "select * from kept").output())
        .contains("answer", "42", "(rows: 1)");
  }

  @Test
  void scalingAddsAndRemovesInstances() {
    assertThat(checkout.kabar("scale", "notification-service=2").code()).isZero();
    assertThat(health("notification-service#2")).isEqualTo("UP");

    assertThat(checkout.kabar("scale", "notification-service=1").code()).isZero();
    assertThat(checkout.kabar("kill", "notification-service#2").errors())
        .contains("no notification-service#2", "`scale notification-service=2` adds it");
  }

  @Test
  void whatRunsOnceCannotBeScaled() {
    CommandRun scale = checkout.kabar("scale", "kafka=2");

    assertThat(scale.code()).isEqualTo(2);
    assertThat(scale.errors()).contains("kafka runs once; it cannot be scaled.");
  }

  @Test
  void secondUpIsRefusedAndSaysWhatToDo() {
    CommandRun up = checkout.kabar("up", "-d");

    assertThat(up.code()).isEqualTo(1);
    assertThat(up.errors())
        .contains("A stack already runs on " + checkout.data(), "`./kabar down` stops it")
        .contains("--port-offset");
    assertThat(status().get("running").asBoolean()).isTrue();
  }

  @Test
  void topicShowsRecordsWithMaskedAddressesUnlessFull() throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(kafka(), new StringSerializer(), new StringSerializer())) {
      producer
          .send(new ProducerRecord<>("order.paid", "o-1", "{\"to\":\"andi@example.com\"}"))
          .get();
    }

    assertThat(checkout.kabar("topic", "order.paid").output())
        .contains("key o-1", "{\"to\":\"***@example.com\"}");
    assertThat(checkout.kabar("topic", "order.paid", "--full").output())
        .contains("{\"to\":\"andi@example.com\"}");
    assertThat(checkout.kabar("topic", "order.pad").errors())
        .contains("There is no topic 'order.pad'. There are: order.paid");
  }

  @Test
  void demonstrationFollowsEveryOrderToItsEmail() {
    CommandRun demo = checkout.kabar("demo", "--orders", "1");

    assertThat(demo.code()).isZero();
    assertThat(demo.output())
        .contains("ORDER", "placed", "emailed")
        .contains("Orders paid: 1, emails: 1.");
  }

  @Test
  void logsShowTheLastLines() {
    assertThat(checkout.kabar("logs", "order-service", "-n", "1").output().strip())
        .isEqualTo("serving");
  }

  private static String health(String name) {
    return status()
        .get("instances")
        .valueStream()
        .filter(each -> each.get("name").asString().equals(name))
        .map(each -> each.get("health").asString())
        .findFirst()
        .orElse("MISSING");
  }

  private static JsonNode status() {
    return JsonMapper.shared().readTree(checkout.kabar("status", "--json").output());
  }

  private static Map<String, Object> kafka() {
    return Map.of("bootstrap.servers", "localhost:" + checkout.port(19092));
  }
}
