package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The pods of the kind overlay start, are found healthy by their own probes, and do their work. */
@Order(4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KindPodsIT {

  private static final List<String> IN_ORDER =
      List.of(
          "orders-db",
          "notifications-db",
          "kafka",
          "email-stub",
          "order-service",
          "outbox-relay",
          "notification-service");

  private final Pods pods = new Pods();

  @BeforeAll
  void start(@TempDir Path folder) {
    Docker.assumeItAnswers();
    Manifests kind = Manifests.rendered(Manifests.KIND);
    Docker.buildImages();
    assertThat(kind.workloads())
        .extracting(Workload::name)
        .containsExactlyInAnyOrderElementsOf(IN_ORDER);
    pods.createNetwork();
    IN_ORDER.forEach(name -> pods.start(kind.workload(name), folder));
  }

  @AfterAll
  void remove() {
    pods.close();
  }

  @Test
  void everyProbeIsPassed() {
    for (String name : IN_ORDER) {
      pods.awaitHealthy(name);
    }
  }

  @Test
  void anOrderPaidInTheClusterIsMailed() {
    IN_ORDER.forEach(pods::awaitHealthy);
    String id = new Shop(pods.url("order-service", 8080)).buy();
    await("the email about order " + id)
        .atMost(Duration.ofMinutes(3))
        .until(() -> Http.get(pods.url("email-stub", 8089) + "/__admin/inbox").body().contains(id));
  }

  @Test
  void metricsThatScaleReplicasExist() {
    IN_ORDER.forEach(pods::awaitHealthy);
    new Shop(pods.url("order-service", 8080)).buy();
    for (JsonNode scaler : ProductionWithKeda.rendered().ofKind("ScaledObject")) {
      String service = Manifests.nameOf(scaler);
      int port = Settings.of(service).managementPort();
      String query = scaler.at("/spec/triggers/0/metadata/query").asString();
      MatchResult metric =
          Pattern.compile("\\((\\w+)(?:\\{(.+)})?\\)")
              .matcher(query)
              .results()
              .findFirst()
              .orElseThrow();
      String label = metric.group(2) == null ? "" : metric.group(2);
      await(query)
          .atMost(Duration.ofMinutes(3)) // Kafka's own metrics are looked for once a minute
          .until(
              () ->
                  Http.get(pods.url(service, port) + "/actuator/prometheus")
                      .body()
                      .lines()
                      .anyMatch(line -> line.startsWith(metric.group(1)) && line.contains(label)));
    }
  }
}
