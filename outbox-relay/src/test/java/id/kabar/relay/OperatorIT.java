package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.relay.GivenTopic.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator can do with a whole outbox: look, stop it, and send again what was sent. */
class OperatorIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String[] OPERATOR = {
    "Authorization",
    "Basic "
        + Base64.getEncoder().encodeToString("operator:secret".getBytes(StandardCharsets.UTF_8))
  };

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();
  private final String route = "relay.routes.OrderPaid=" + topic.name();

  @Test
  void pauseHoldsForAllRelaysSurvivesTheirRestartAndIsShown() {
    try (RelayProcess first = RelayProcess.start(outbox, route, "relay.health.sample=200ms");
        GivenRelay second =
            new GivenRelay(outbox, Settings.of("routes.OrderPaid", topic.name())).start()) {
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);

      assertThat(first.post("/outbox/pause", "{}", OPERATOR).body()).contains("reason-missing");
      assertThat(first.post("/outbox/pause", "{\"reason\":\"x\"}").statusCode()).isEqualTo(401);
      assertThat(first.post("/outbox/pause", "{\"reason\":\"a drill\"}", OPERATOR).body())
          .isEqualTo("{\"paused\":true,\"changed\":true}");
      assertThat(first.post("/outbox/pause", "{\"reason\":\"again\"}", OPERATOR).body())
          .contains("\"changed\":false");

      long looked = second.meters.timer("outbox.claim").count();
      UUID waiting = outbox.append("b");
      outbox.execute("notify outbox");
      await()
          .atMost(PATIENCE)
          .until(() -> second.meters.timer("outbox.claim").count() > looked + 2);
      assertThat(outbox.pending()).isEqualTo(1);

      await()
          .atMost(PATIENCE)
          .until(() -> json(first.get("/outbox", OPERATOR).body()).path("workers").asInt() == 4);
      JsonNode status = json(first.get("/outbox", OPERATOR).body());
      assertThat(status.path("paused").path("operator").asString()).isEqualTo("operator");
      assertThat(status.path("paused").path("reason").asString()).isEqualTo("a drill");
      assertThat(status.path("pending").asInt()).isEqualTo(1);
      assertThat(status.path("due").asInt()).isEqualTo(1);
      assertThat(status.path("relays").asInt()).isEqualTo(2);
      assertThat(status.path("doorbell").asString()).isEqualTo("hears");
      await()
          .atMost(PATIENCE)
          .until(() -> first.get("/actuator/prometheus").body().contains("outbox_paused 1.0"));
      assertThat(first.get("/actuator/health", OPERATOR).body()).contains("pausedSince");

      first.kill();
      try (RelayProcess restarted = RelayProcess.start(outbox, route)) {
        assertThat(json(restarted.get("/outbox", OPERATOR).body()).path("paused").isObject())
            .isTrue();
        assertThat(outbox.pending()).isEqualTo(1);

        assertThat(restarted.post("/outbox/resume", "{}", OPERATOR).body())
            .isEqualTo("{\"paused\":false,\"changed\":true}");
        await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
        assertThat(topic.ids()).contains(waiting);
      }
    }
    assertThat(
            outbox.texts(
                "select action || ': ' || coalesce(reason, '') from outbox_audit order by at"))
        .containsExactly("pause: a drill", "resume: ");
  }

  @Test
  void replaySendsPublishedEventsAgainUnderTheirIdsInTheirOrderAndNoFasterThanSaid() {
    List<UUID> a = List.of(outbox.append("a"), outbox.append("a"), outbox.append("a"));
    UUID b = outbox.append("b");
    try (RelayProcess relay = RelayProcess.start(outbox, route)) {
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      List<Message> before = topic.messages();

      String url = "/outbox/replays";
      assertThat(relay.post(url, "{\"reason\":\"x\"}", OPERATOR).body())
          .contains("nothing-selected");
      assertThat(relay.post(url, "{\"aggregateId\":\"a\"}", OPERATOR).body())
          .contains("reason-missing");
      assertThat(
              relay.post(url, "{\"all\":true,\"perSecond\":0,\"reason\":\"x\"}", OPERATOR).body())
          .contains("invalid-rate");
      assertThat(relay.post(url, "{\"aggregateId\":\"a\",\"dryRun\":true}", OPERATOR).body())
          .contains("\"events\":3", "\"dryRun\":true");
      assertThat(relay.post(url, "{\"all\":true}").statusCode()).isEqualTo(401);

      long start = System.nanoTime();
      String order = "{\"aggregateId\":\"a\",\"perSecond\":1,\"reason\":\"the reader lost them\"}";
      long id = json(relay.post(url, order, OPERATOR).body()).path("replay").path("id").asLong();
      UUID live = outbox.append("a");
      await().atMost(PATIENCE).until(() -> topic.messages().size() == before.size() + 4);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(2));

      List<Message> again =
          topic.messages().stream().filter(message -> a.contains(message.id())).skip(3).toList();
      assertThat(again).extracting(Message::id).isEqualTo(a);
      assertThat(again)
          .as("the same bytes and headers")
          .isEqualTo(before.stream().filter(message -> message.key().equals("a")).toList());
      Map<String, List<UUID>> arrivals = GivenTopic.firstArrivals(topic.messages());
      assertThat(arrivals.get("a")).containsExactly(a.get(0), a.get(1), a.get(2), live);
      assertThat(topic.ids()).containsOnlyOnce(b);

      JsonNode replay = json(relay.get(url + "/" + id, OPERATOR).body());
      assertThat(replay.path("sent").asInt()).isEqualTo(3);
      assertThat(replay.path("finishedAt").isNull()).isFalse();
      assertThat(json(relay.get(url, OPERATOR).body())).hasSize(1);
      assertThat(relay.post(url + "/" + id + "/cancel", "{}", OPERATOR).statusCode())
          .isEqualTo(404);
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  relay
                      .get("/actuator/prometheus")
                      .body()
                      .contains("outbox_repeats_total{cause=\"replay\"} 3.0"));
    }
    assertThat(outbox.texts("select count(*) from outbox_archive where payload is not null"))
        .as("kept once")
        .containsExactly("5");
    assertThat(outbox.texts("select operator || ' ' || action || ' ' || count from outbox_audit"))
        .containsExactly("operator replay 3");
  }

  @Test
  void replayWaitsWhileTheOutboxIsPausedAndCanBeCancelled() {
    outbox.append("a");
    outbox.append("b");
    try (RelayProcess relay = RelayProcess.start(outbox, route, "relay.replay.most=2")) {
      await().atMost(PATIENCE).until(() -> outbox.archived() == 2);
      relay.post("/outbox/pause", "{\"reason\":\"a drill\"}", OPERATOR);
      String order = "{\"publishedFrom\":\"2020-01-01T00:00:00Z\",\"reason\":\"why not\"}";
      JsonNode started = json(relay.post("/outbox/replays", order, OPERATOR).body());
      assertThat(started.path("events").asInt()).isEqualTo(2);
      long id = started.path("replay").path("id").asLong();
      assertThat(outbox.number("select outbox_replay_step()")).isZero();

      assertThat(relay.post("/outbox/replays/" + id + "/cancel", "{}", OPERATOR).body())
          .isEqualTo("{\"unsent\":2}");
      relay.post("/outbox/resume", "{}", OPERATOR);

      outbox.append("c");
      await().atMost(PATIENCE).until(() -> outbox.archived() == 3);
      assertThat(topic.messages()).hasSize(3);
      assertThat(relay.post("/outbox/replays", order, OPERATOR).body())
          .as("now there are three")
          .contains("too-many-events");
      assertThat(outbox.number("select count(*) from outbox_replay_event")).isZero();
    }
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}
