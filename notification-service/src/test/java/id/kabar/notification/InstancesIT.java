package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import id.kabar.testservers.TestKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Several instances on one database, started and stopped by the test. */
class InstancesIT extends SeveralInstances {

  @Test
  void fiftyCopiesOnAllPartitionsOfTwoInstancesAreOneEmail() {
    start();
    start();
    PROVIDER.acceptsAfter(Duration.ofMillis(300));
    UUID event = UUID.randomUUID();
    String json = OrderPaidRecords.json(event, UUID.randomUUID());
    for (int i = 0; i < 50; i++) {
      OrderPaidRecords.to(topic).value(i % 3, "key", json, "id.kabar.OrderPaid.v1");
    }
    eventually().until(() -> committed("group") == 50);
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
    assertThat(lettersCount()).isZero();
  }

  @Test
  void aGroupThatStartsAllOverSendsNothingAgain() {
    ConfigurableApplicationContext first = start();
    List<UUID> events =
        IntStream.range(0, 20).mapToObj(i -> OrderPaidRecords.to(topic).paid()).toList();
    eventually().until(() -> sentCount() == events.size());
    first.close();

    start("notification.listener.group=another-group-" + topic);
    eventually().until(() -> committed("another-group") == events.size());
    assertThat(PROVIDER.calls()).isEqualTo(events.size());
  }

  @Test
  void anInstanceStoppedInTheMiddleOfACallLeavesNoSecondEmailAndNoStuckEvent() throws Exception {
    PROVIDER.acceptsAfter(Duration.ofMillis(1_500));
    ConfigurableApplicationContext first = start();
    List<UUID> events =
        IntStream.range(0, 6).mapToObj(i -> OrderPaidRecords.to(topic).paid()).toList();
    eventually().until(() -> PROVIDER.calls() > 0);
    assertThat(stopping(first)).isLessThan(Duration.ofSeconds(10));
    // by each of its consumers: what ended on the way out is committed
    assertThat(committed("group")).isEqualTo(sentCount());
    PROVIDER.accepts();
    start();
    eventually().until(() -> sentCount() == events.size());
    for (UUID event : events) {
      assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
    }
  }

  @Test
  void theProviderIsLeftAloneForAsLongAsItAsks() {
    PROVIDER.asksForAPause(429, "1");
    start("notification.listener.backoff=500ms");
    UUID event = OrderPaidRecords.to(topic).paid();
    eventually().until(() -> PROVIDER.calls() == 1);
    PROVIDER.accepts();
    eventually().until(() -> "SENT".equals(stateOf(event)));
    var calls = PROVIDER.callsOf(event);
    assertThat(calls).hasSize(2);
    assertThat(Duration.between(at(calls.getLast()), at(calls.getFirst())).abs())
        .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void aPauseTheProviderAskedForIsKeptByAllInstancesAndCostsNoDelivery() {
    start();
    start();
    PROVIDER.asksForAPause(429, "6");
    List<UUID> events = pay(60);
    eventually().until(() -> PROVIDER.calls() > 0);
    Instant told = at(firstCall());
    // both may have been about to call when the first was told
    Instant knownToAll = told.plusSeconds(3);
    await().until(() -> Instant.now().isAfter(knownToAll));
    PROVIDER.accepts();
    eventually().until(() -> sentCount() == events.size());
    assertThat(PROVIDER.all())
        .extracting(InstancesIT::at)
        .noneMatch(call -> call.isAfter(knownToAll) && call.isBefore(told.plusSeconds(6)));
    assertThat(lettersCount()).isZero();
  }

  private static LoggedRequest firstCall() {
    return PROVIDER.all().stream().min(Comparator.comparing(InstancesIT::at)).orElseThrow();
  }

  @Test
  void anOperatorsPauseHoldsForAllInstancesAndSurvivesARestart() {
    ConfigurableApplicationContext first = start("operator.password=secret");
    ConfigurableApplicationContext second = start("operator.password=secret");
    Operator operator = new Operator(portOf(first), "secret");
    assertThat(operator.post("/provider/pause", "{}").status()).isEqualTo(400);
    assertThat(operator.post("/provider/pause", "{\"reason\":\"they move\"}").status())
        .isEqualTo(200);
    List<UUID> events = pay(30);
    await().during(Duration.ofSeconds(2)).until(() -> PROVIDER.calls() == 0);
    first.close();
    second.close();
    Operator later = new Operator(portOf(start("operator.password=secret")), "secret");
    await().during(Duration.ofSeconds(2)).until(() -> PROVIDER.calls() == 0);
    assertThat(later.get("/actuator/health/readiness").status()).isEqualTo(200);
    assertThat(later.get("/provider").json().required("reason").stringValue()).isEqualTo("MANUAL");

    later.post("/provider/resume", "{\"reason\":\"they have moved\"}");
    eventually().until(() -> sentCount() == events.size());
    assertThat(later.get("/provider").body()).contains("they move", "they have moved");
    assertThat(lettersCount()).isZero();
  }

  @Test
  void allInstancesTogetherKeepTheRateLimit() {
    PROVIDER.accepts();
    for (int i = 0; i < 2; i++) {
      start("email.rate-limit=20", "notification.in-flight=20", "notification.listener.hold=90s");
    }
    List<UUID> events = pay(80);
    eventually().until(() -> sentCount() == events.size());
    List<Instant> calls = PROVIDER.all().stream().map(InstancesIT::at).sorted().toList();
    assertThat(calls).hasSize(events.size());
    assertThat(Duration.between(calls.getFirst(), calls.getLast()))
        .isBetween(Duration.ofMillis(3_500), Duration.ofSeconds(12));
  }

  @Test
  void whoFindsNoPlaceInTheLineOfAllCallsComesBackForIt() {
    PROVIDER.accepts();
    start("email.rate-limit=5", "notification.in-flight=25", "notification.listener.hold=90s");
    jdbc.sql("update provider set next_call_at = now() + interval '7 s'").update();
    List<UUID> events = pay(10);
    eventually().until(() -> sentCount() == events.size());
    assertThat(lettersCount()).isZero();
    List<Instant> calls = PROVIDER.all().stream().map(InstancesIT::at).sorted().toList();
    assertThat(calls).hasSize(events.size());
    assertThat(Duration.between(calls.getFirst(), calls.getLast()))
        .isGreaterThan(Duration.ofMillis(1_500));
  }

  private List<UUID> pay(int count) {
    return IntStream.range(0, count).mapToObj(i -> OrderPaidRecords.to(topic).paid()).toList();
  }

  private static Instant at(LoggedRequest call) {
    return call.getLoggedDate().toInstant();
  }

  @Test
  void anInstanceStopsDuringTheBackoffToo() {
    PROVIDER.answers(503);
    ConfigurableApplicationContext instance =
        start(
            "notification.listener.backoff=20s",
            "notification.listener.redeliveries=4",
            "notification.listener.hold=5m");
    UUID event = OrderPaidRecords.to(topic).paid();
    eventually().until(() -> PROVIDER.callsFor(event) == 3);
    eventually().until(() -> "UNSENT".equals(stateOf(event)));
    assertThat(stopping(instance)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void anInstanceWithoutAPartitionIsReady() {
    TestKafka.shared().createTopic(topic, 1);
    ConfigurableApplicationContext first = start();
    ConfigurableApplicationContext second = start();
    OrderPaidRecords.to(topic).paid();
    eventually().until(() -> sentCount() == 1);
    for (ConfigurableApplicationContext instance : List.of(first, second)) {
      eventually()
          .until(
              () ->
                  new Operator(portOf(instance), null).get("/actuator/health/readiness").status()
                      == 200);
    }
  }

  @Test
  void anExistingTopicIsRespected() throws Exception {
    TestKafka.shared().createTopic(topic, 5);
    start();
    eventually().until(() -> partitionsOf(topic + ".DLT") == 5);
    assertThat(partitionsOf(topic)).isEqualTo(5);
  }

  @Test
  void anInstanceThatStartsBeforeItsBrokerListensOnceItIsThere() {
    TestKafka.shared().stop();
    ConfigurableApplicationContext instance;
    try {
      instance = start();
      assertThat(new Operator(portOf(instance), null).get("/actuator/health/liveness").status())
          .isEqualTo(200);
    } finally {
      TestKafka.shared().start();
    }
    UUID event = OrderPaidRecords.to(topicOnceItIsThere()).paid();
    eventually().until(() -> "SENT".equals(stateOf(event)));
  }

  private String topicOnceItIsThere() {
    eventually().until(() -> partitionsOf(topic) == 3);
    return topic;
  }

  @Test
  void withoutAPasswordEveryOperatorActionIsRefused() {
    ConfigurableApplicationContext instance = start("operator.password=");
    for (String password : new String[] {null, "", "operator"}) {
      assertThat(new Operator(portOf(instance), password).get("/dead-letters").status())
          .isEqualTo(401);
    }
  }

  private static Duration stopping(ConfigurableApplicationContext instance) {
    long started = System.nanoTime();
    instance.close();
    return Duration.ofNanos(System.nanoTime() - started);
  }

  private int sentCount() {
    return jdbc.sql("select count(*) from processed_event where state = 'SENT'")
        .query(Integer.class)
        .single();
  }

  private int lettersCount() {
    return jdbc.sql("select count(*) from dead_letter").query(Integer.class).single();
  }

  private String stateOf(UUID event) {
    return jdbc.sql("select state from processed_event where event_id = ?")
        .param(event)
        .query(String.class)
        .optional()
        .orElse("ABSENT");
  }

  private long committed(String group) throws ExecutionException, InterruptedException {
    try (Admin admin = admin()) {
      return admin
          .listConsumerGroupOffsets(group + "-" + topic)
          .partitionsToOffsetAndMetadata()
          .get()
          .entrySet()
          .stream()
          .filter(entry -> entry.getKey().topic().equals(topic))
          .map(Map.Entry<TopicPartition, OffsetAndMetadata>::getValue)
          .mapToLong(offset -> offset == null ? 0 : offset.offset())
          .sum();
    }
  }

  private int partitionsOf(String name) throws ExecutionException, InterruptedException {
    try (Admin admin = admin()) {
      return admin
          .describeTopics(List.of(name))
          .allTopicNames()
          .get()
          .get(name)
          .partitions()
          .size();
    } catch (ExecutionException e) {
      return 0;
    }
  }

  private static Admin admin() {
    return Admin.create(
        Map.<String, Object>of("bootstrap.servers", TestKafka.shared().bootstrapServers()));
  }
}
