package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.relay.GivenTopic.Message;
import id.kabar.testservers.TestKafka;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.junit.jupiter.api.Test;

/** What arrives in Kafka, in which order, and what becomes of events that cannot. */
class RelayIT {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();

  @Test
  void committedEventsArriveUnderTheirKeyWithTheirBytesAsWritten() throws SQLException {
    String payload = "{ \"z\":1,  \"a\":\"Zoë 👋 \\\"quoted\\\"\", \"a\":\"\\u0000\" }";
    UUID id = outbox.append("OrderPaid", "order-1", payload);
    outbox.execute(
        "update outbox_event set headers ="
            + " '{\"ce_type\":\"id.kabar.OrderPaid.v1\",\"traceparent\":\"00-ab-cd-01\"}'");

    try (GivenRelay relay = relay()) {
      relay.relayUntilIdle();
    }

    Message message = topic.messages().getFirst();
    assertThat(message.key()).isEqualTo("order-1");
    assertThat(message.value()).isEqualTo(payload);
    assertThat(message.headers())
        .containsEntry("ce_id", id.toString())
        .containsEntry("ce_type", "id.kabar.OrderPaid.v1")
        .containsEntry("ce_source", "/Order")
        .containsEntry("traceparent", "00-ab-cd-01");
    assertThat(outbox.pending()).isZero();
    assertThat(outbox.texts("select payload::text from outbox_archive")).containsExactly(payload);
  }

  @Test
  void threeRelaysKeepTheOrderOfEveryKeyAndRepeatNothing() {
    outbox.appendMany(1000, 50);
    List<String> expected = outbox.texts("select id from outbox_event order by position");
    try (GivenRelay one = relay().start();
        GivenRelay two = relay().start();
        GivenRelay three = relay().start()) {
      await().atMost(Duration.ofMinutes(2)).until(() -> outbox.pending() == 0);
      assertThat(List.of(one, two, three)).allSatisfy(r -> assertThat(published(r)).isPositive());
    }
    List<Message> messages = topic.messages();
    assertThat(messages)
        .extracting(m -> m.id().toString())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertOrderOfEveryKey(messages);
  }

  @Test
  void relaysComeAndGoUnderLoadWithoutRepeats() {
    GivenRelay first = relay().start();
    for (int step = 0; step < 10; step++) {
      outbox.appendMany(100, 10);
      if (step == 3) {
        try (GivenRelay second = relay().start();
            GivenRelay third = relay().start()) {
          outbox.appendMany(100, 10);
          await()
              .atMost(PATIENCE)
              .until(
                  () -> (published(second) > 0 && published(third) > 0) || outbox.pending() == 0);
        }
      }
    }
    await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
    first.close();

    List<Message> messages = topic.messages();
    assertThat(messages).hasSize(11_000).extracting(Message::id).doesNotHaveDuplicates();
  }

  @Test
  void oversizeEventIsParkedAndDelaysNobodyElse() throws SQLException {
    GivenTopic small = GivenTopic.limitedTo(10_000);
    UUID before = outbox.append("a");
    UUID large = outbox.append("OrderPaid", "a", "\"" + "x".repeat(20_000) + "\"");
    UUID behind = outbox.append("a");
    UUID other = outbox.append("b");

    try (GivenRelay relay = new GivenRelay(outbox, Settings.of("routes.OrderPaid", small.name()))) {
      relay.relayUntilIdle();
    }

    assertThat(small.ids()).containsExactlyInAnyOrder(before, other);
    assertThat(outbox.texts("select id from outbox_event order by position"))
        .containsExactly(large.toString(), behind.toString());
    assertThat(outbox.texts("select last_error from outbox_event where parked_at is not null"))
        .singleElement()
        .asString()
        .startsWith("Too large: 20")
        .contains("max.message.bytes");
  }

  @Test
  void eventThatOnlyTheBrokerFindsTooLargeIsNotOvertakenByItsAggregate() throws SQLException {
    // compressed, so that nobody can know the size before; random, so that it does not shrink
    GivenTopic small = GivenTopic.limitedTo(10_000);
    byte[] noise = new byte[30_000];
    new Random(7).nextBytes(noise);
    String large = "\"" + Base64.getEncoder().encodeToString(noise) + "\"";
    List<UUID> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      expected.add(outbox.append("a"));
    }
    UUID refused = outbox.append("OrderPaid", "a", large);
    outbox.append("a");
    UUID other = outbox.append("b");

    RelaySettings settings = Settings.of("routes.OrderPaid", small.name());
    try (GivenRelay relay = new GivenRelay(outbox, settings, Map.of("compression.type", "lz4"))) {
      relay.relayUntilIdle();
      assertThat(GivenTopic.firstArrivals(small.messages()).get("a")).isEqualTo(expected);
      assertThat(small.ids()).contains(other).doesNotContain(refused);
      assertThat(outbox.texts("select id from outbox_event where parked_at is not null"))
          .containsExactly(refused.toString());

      outbox.execute("delete from outbox_event where parked_at is not null"); // discarded
      relay.relayUntilIdle();
    }

    assertThat(outbox.pending()).isZero();
    assertThat(GivenTopic.firstArrivals(small.messages()).get("a"))
        .hasSize(21)
        .startsWith(expected.toArray(UUID[]::new));
  }

  @Test
  void absentTopicIsTheTroubleOfItsOwnEvents() {
    GivenTopic absent = GivenTopic.absent();
    UUID lost = outbox.append("OrderCancelled", "a", "{}");
    UUID held = outbox.append("a");
    List<UUID> others = IntStream.range(0, 100).mapToObj(i -> outbox.append("key-" + i)).toList();
    RelaySettings settings =
        Settings.of(
            "routes.OrderPaid", topic.name(),
            "routes.OrderCancelled", absent.name(),
            "topics.create", "false");

    long start = System.nanoTime();
    try (GivenRelay relay = new GivenRelay(outbox, settings).start()) {
      await().atMost(PATIENCE).until(() -> published(relay) == 100);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      assertThat(topic.ids()).containsAll(others).doesNotContain(lost, held);
      assertThat(outbox.texts("select last_error from outbox_event where id = '" + lost + "'"))
          .containsExactly(
              "Topic %s does not exist: create it, or correct relay.routes"
                  .formatted(absent.name()));
      assertThat(relay.broker.silence()).isNull();

      TestKafka.shared().createTopic(absent.name(), 1);
      relay.topics.refresh();
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
    }
    assertThat(absent.ids()).containsExactly(lost);
    assertThat(topic.ids()).contains(held);
  }

  @Test
  void topicDeletedWhileRunningStopsItsOwnEventsOnly() {
    GivenTopic doomed = GivenTopic.fresh();
    RelaySettings settings =
        Settings.of(
            "routes.OrderPaid", topic.name(),
            "routes.OrderCancelled", doomed.name(),
            "timeouts.max-block", "500ms",
            "timeouts.delivery", "1s",
            "timeouts.round", "2s");
    try (GivenRelay relay = new GivenRelay(outbox, settings).start()) {
      outbox.append("OrderCancelled", "a", "{}");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);

      doomed.delete();
      outbox.append("OrderCancelled", "a", "{}");
      await()
          .atMost(PATIENCE)
          .until(() -> outbox.number("select count(*) from outbox_event where attempts > 0") == 1);
      UUID other = outbox.append("b");

      await().atMost(PATIENCE).until(() -> topic.ids().contains(other));
      assertThat(published(relay)).isEqualTo(2);
    }
  }

  @Test
  void eventWithoutRouteIsParkedWithTheSettingThatItNeeds() throws SQLException {
    outbox.append("OrderShipped", "a", "{}");
    try (GivenRelay relay = relay()) {
      relay.relayUntilIdle();
    }
    assertThat(outbox.texts("select last_error from outbox_event where parked_at is not null"))
        .singleElement()
        .asString()
        .contains("relay.routes.OrderShipped");
  }

  @Test
  void secondEventTypeFlowsBySettingsAlone() throws SQLException {
    GivenTopic cancelled = GivenTopic.absent();
    UUID id = outbox.append("OrderCancelled", "a", "{\"reason\":\"changed my mind\"}");
    RelaySettings settings =
        Settings.of("routes.OrderPaid", topic.name(), "routes.OrderCancelled", cancelled.name());
    try (GivenRelay relay = new GivenRelay(outbox, settings)) {
      relay.relayUntilIdle();
    }
    assertThat(cancelled.ids()).containsExactly(id);
    assertThat(topic.ids()).isEmpty();
  }

  @Test
  void absentTopicIsMadeAsTheSettingsSayAndAnExistingOneIsRespected()
      throws InterruptedException, ExecutionException {
    GivenTopic absent = GivenTopic.absent();
    RelaySettings settings =
        Settings.of(
            "routes.OrderPaid", topic.name(),
            "routes.OrderCancelled", absent.name(),
            "topics.partitions", "7");
    try (GivenRelay relay = new GivenRelay(outbox, settings);
        Admin admin = GivenTopic.admin()) {
      assertThat(relay.topics.refresh()).isTrue();
      Map<String, TopicDescription> topics =
          admin.describeTopics(List.of(topic.name(), absent.name())).allTopicNames().get();
      assertThat(topics.get(absent.name()).partitions()).hasSize(7);
      assertThat(topics.get(topic.name()).partitions()).hasSize(3);
    }
  }

  @Test
  void doorbellSavesTheWait() {
    RelaySettings lazy =
        Settings.of("routes.OrderPaid", topic.name(), "poll.first", "1h", "poll.longest", "1h");
    try (GivenRelay relay = new GivenRelay(outbox, lazy).start()) {
      outbox.append("warm-up");
      await().atMost(PATIENCE).until(() -> ringing() && outbox.pending() == 0);

      outbox.append("a");
      outbox.execute("notify outbox");

      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      assertThat(relay.meters.counter("outbox.doorbell", "result", "hit").count()).isPositive();
    }
  }

  @Test
  void doorbellAloneBringsAnEventToTheBroker() {
    RelaySettings seldomLooking =
        Settings.of("routes.OrderPaid", topic.name(), "poll.first", "1h", "poll.longest", "1h");
    try (GivenRelay relay = new GivenRelay(outbox, seldomLooking).start()) {
      outbox.append("heard once it listens");
      await().atMost(PATIENCE).until(() -> ringing() && outbox.pending() == 0);
      for (int i = 0; i < 40; i++) {
        outbox.append("key-" + i);
        await().atMost(PATIENCE).until(() -> ringing() && outbox.pending() == 0);
      }
      assertThat(published(relay)).isEqualTo(41);
    }
  }

  private boolean ringing() {
    outbox.execute("notify outbox");
    return true;
  }

  @Test
  void everythingFlowsWithoutTheDoorbell() {
    RelaySettings deaf = Settings.of("routes.OrderPaid", topic.name(), "doorbell.enabled", "false");
    try (GivenRelay relay = new GivenRelay(outbox, deaf).start()) {
      for (int i = 0; i < 3; i++) {
        outbox.append("a");
        await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      }
      assertThat(relay.meters.counter("outbox.doorbell", "result", "hit").count()).isZero();
    }
  }

  @Test
  void ringsThatOthersAnswerFirstAreAnsweredEverLessOften() throws SQLException {
    try (GivenRelay relay = relay().start();
        Connection ringer = outbox.owner().connect();
        Statement ring = ringer.createStatement()) {
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      long looked = relay.meters.timer("outbox.claim").count();
      int rings = 0;
      for (long end = System.nanoTime() + 2_000_000_000L; System.nanoTime() < end; rings++) {
        ring.execute("notify outbox");
        await()
            .pollInterval(Duration.ofMillis(1))
            .pollDelay(Duration.ofMillis(4))
            .until(() -> true);
      }

      long answered = relay.meters.timer("outbox.claim").count() - looked;
      assertThat(answered).as("of %d rings", rings).isLessThan(200);
      outbox.append("a");
      ring.execute("notify outbox");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
    }
  }

  @Test
  void hotKeyDelaysNobodyElse() {
    String hot = outbox.keyInBucket(1);
    outbox.execute(
        """
        insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)
        select 'Order', '%s', 'OrderPaid', '{}' from generate_series(1, 30000)
        """
            .formatted(hot));
    RelaySettings small =
        Settings.of("routes.OrderPaid", topic.name(), "batch.size", "50", "batch.max-size", "50");
    try (GivenRelay relay = new GivenRelay(outbox, small).start()) {
      await().atMost(PATIENCE).until(() -> published(relay) > 0);
      IntStream.range(2, 20).mapToObj(outbox::keyInBucket).forEach(outbox::append);

      await()
          .atMost(Duration.ofSeconds(5))
          .until(
              () ->
                  outbox.number(
                          "select count(*) from outbox_event where aggregate_id <> '" + hot + "'")
                      == 0);
      assertThat(outbox.pending()).as("the hot key is far from done").isPositive();
    }
  }

  @Test
  void idleRelayAsksTheDatabaseOnlyAFewTimesASecond() {
    try (GivenRelay relay = relay().start()) {
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      await().atMost(PATIENCE).until(() -> relay.watermarks.safePosition() > 0);
      await().pollDelay(Duration.ofSeconds(3)).until(() -> true); // the poll has slowed down
      long looked = relay.meters.timer("outbox.claim").count();
      await().pollDelay(Duration.ofSeconds(4)).until(() -> true);

      // two workers, each looking once a second
      assertThat(relay.meters.timer("outbox.claim").count() - looked).isBetween(1L, 10L);
      assertThat(relay.watermarks.wantSample()).isFalse();
    }
  }

  private static double published(GivenRelay relay) {
    return relay.meters.counter("outbox.published").count();
  }

  private GivenRelay relay() {
    return new GivenRelay(outbox, Settings.of("routes.OrderPaid", topic.name()));
  }

  /** The payload of each event carries its number within its key. */
  private static void assertOrderOfEveryKey(List<Message> messages) {
    Map<String, List<Integer>> numbers = new HashMap<>();
    for (Message message : messages) {
      int n = Integer.parseInt(message.value().replaceAll(".*\"n\" : (\\d+).*", "$1"));
      numbers.computeIfAbsent(message.key(), key -> new ArrayList<>()).add(n);
    }
    assertThat(numbers)
        .hasSize(1000)
        .allSatisfy(
            (key, order) ->
                assertThat(order).as(key).isEqualTo(IntStream.rangeClosed(1, 50).boxed().toList()));
  }
}
