package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.testservers.TestKafka;
import id.kabar.testservers.TestPostgres;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The service as it is deployed: what it tells, to whom, and when it refuses to start. */
class ApplicationIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String[] OPERATOR = {"Authorization", basic("operator:secret")};

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();
  private final String route = "relay.routes.OrderPaid=" + topic.name();

  @Test
  void healthAndMetricsAreOpenAndAllElseIsTheOperators() {
    try (RelayProcess relay = RelayProcess.start(outbox, route)) {
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);

      HttpResponse<String> health = relay.get("/actuator/health");
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body())
          .contains("\"broker\"", "\"db\"", "\"relay\"")
          .doesNotContain("parked");
      assertThat(relay.get("/actuator/health", OPERATOR).body()).contains("\"parked\":0");
      assertThat(relay.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
      assertThat(relay.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
      assertThat(relay.get("/actuator/info").statusCode()).isEqualTo(200);
      assertThat(relay.get("/actuator/prometheus").body())
          .contains(
              "outbox_published_total",
              "outbox_publish_seconds",
              "outbox_claim_seconds",
              "outbox_batch_size",
              "outbox_pending",
              "outbox_parked",
              "outbox_oldest_age_seconds",
              "outbox_doorbell_total{result=\"hit\"}");

      for (String path : new String[] {"/outbox", "/actuator/env", "/actuator", "/"}) {
        HttpResponse<String> refused = relay.get(path);
        assertThat(refused.statusCode()).as(path).isEqualTo(401);
        assertThat(refused.headers().firstValue("content-type").orElse(""))
            .startsWith("application/problem+json");
      }
      assertThat(relay.get("/outbox", "Authorization", basic("operator:wrong")).statusCode())
          .isEqualTo(401);
      assertThat(relay.get("/nothing-here", OPERATOR).statusCode()).isEqualTo(404);
    }
  }

  @Test
  void operatorRetriesAndDiscardsParkedEventsAndLeavesAnAuditLine() {
    UUID lost = outbox.append("OrderShipped", "a", "{}");
    UUID behind = outbox.append("a");
    UUID late = outbox.append("OrderShipped", "b", "{}");
    try (RelayProcess relay = RelayProcess.start(outbox, route)) {
      await().atMost(PATIENCE).until(() -> outbox.parked() == 2);

      assertThat(relay.get("/outbox", OPERATOR).body()).contains("\"workers\":2");
      assertThat(relay.get("/outbox/parked?aggregateId=a", OPERATOR).body())
          .contains(lost.toString(), "relay.routes.OrderShipped", "\"attempts\":1")
          .doesNotContain(late.toString());

      assertThat(relay.post("/outbox/parked/retry", "{}", OPERATOR).body())
          .contains("nothing-selected");
      assertThat(relay.post("/outbox/parked/discard", "{\"all\":true}", OPERATOR).body())
          .contains("reason-missing");
      assertThat(
              relay
                  .post("/outbox/parked/retry", "{\"all\":true,\"dryrun\":true}", OPERATOR)
                  .statusCode())
          .as("a misspelt dryRun must not act")
          .isEqualTo(400);
      String dry = "{\"error\":\"No route\",\"dryRun\":true}";
      assertThat(relay.post("/outbox/parked/retry", dry, OPERATOR).body())
          .contains("\"selected\":2", "\"dryRun\":true");
      assertThat(outbox.parked()).isEqualTo(2);
      assertThat(relay.post("/outbox/parked/" + behind + "/retry", "", OPERATOR).statusCode())
          .isEqualTo(404);
      assertThat(relay.post("/outbox/parked/retry", "{\"all\":true}").statusCode()).isEqualTo(401);

      String path = "/outbox/parked/" + lost + "/discard?reason=test";
      assertThat(relay.post(path, "", OPERATOR).body()).contains("\"selected\":1");
      await().atMost(PATIENCE).until(() -> topic.ids().contains(behind));
      outbox.execute("update outbox_event set event_type = 'OrderPaid'");
      String retry = "{\"eventType\":\"OrderPaid\"}";
      assertThat(relay.post("/outbox/parked/retry", retry, OPERATOR).body())
          .contains("\"selected\":1");

      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      assertThat(topic.ids()).contains(late).doesNotContain(lost);
    }
    assertThat(
            outbox.texts(
                "select operator || ' ' || action || ' ' || count from outbox_audit order by at"))
        .containsExactly("operator retry 0", "operator discard 1", "operator retry 1");
  }

  @Test
  void withoutAPasswordNobodyIsTheOperatorAndTheLogSaysWhy() {
    try (RelayProcess relay = RelayProcess.start(outbox, route, "operator.password=")) {
      assertThat(relay.get("/outbox", "Authorization", basic("operator:")).statusCode())
          .isEqualTo(401);
      assertThat(relay.logged("set operator.password (OPERATOR_PASSWORD)")).isTrue();
    }
  }

  @Test
  void livenessAndReadinessDependOnNoServerAndHealthSaysWhatIsAway() {
    try (RelayProcess relay = RelayProcess.start(outbox, route)) {
      TestKafka.shared().stop();
      TestPostgres.shared().stop();
      try {
        await().atMost(PATIENCE).until(() -> relay.get("/actuator/health").statusCode() == 503);
        await()
            .atMost(PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(relay.get("/actuator/health/broker", OPERATOR).body())
                        .contains("unreachableSince"));
        assertThat(relay.get("/actuator/health/liveness").statusCode()).isEqualTo(200);
        assertThat(relay.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
        assertThat(relay.get("/actuator/prometheus").statusCode()).isEqualTo(200);
      } finally {
        TestPostgres.shared().start();
        TestKafka.shared().start();
      }
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      await().atMost(PATIENCE).until(() -> relay.get("/actuator/health").statusCode() == 200);
    }
  }

  @Test
  void misorderedTimeoutsStopTheServiceWithAMessage() {
    try (RelayProcess relay = RelayProcess.launch(outbox, route, "relay.timeouts.delivery=13s")) {
      await().atMost(PATIENCE).until(() -> !relay.isAlive());
      assertThat(relay.log())
          .contains("APPLICATION FAILED TO START")
          .contains(
              "relay.timeouts.delivery (13s) must be shorter than relay.timeouts.round (12s)");
    }
  }

  @Test
  void settingOutOfItsRangeStopsTheServiceWithAMessage() {
    try (RelayProcess relay = RelayProcess.launch(outbox, route, "relay.buckets=65")) {
      await().atMost(PATIENCE).until(() -> !relay.isAlive());
      assertThat(relay.log())
          .contains("APPLICATION FAILED TO START")
          .contains("relay.buckets is 65: allowed is 1 to 64");
    }
  }

  private static String basic(String credentials) {
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }
}
