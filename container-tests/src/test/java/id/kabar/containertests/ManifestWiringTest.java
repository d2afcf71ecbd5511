package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Manifests, compose.yaml, Dockerfile and the services' own settings agree with each other. */
class ManifestWiringTest {

  private static final List<String> SERVICES =
      List.of("order-service", "outbox-relay", "notification-service");

  /** The host and port in a JDBC URL, an address of Kafka or a URL. */
  private static final Pattern ADDRESS = Pattern.compile("(?:^|//|,)([a-z][\\w.-]*):(\\d+)");

  @Test
  void everyDeployableIsATargetAnImageAndAService() {
    assertThat(Dockerfile.targets()).containsExactlyInAnyOrderElementsOf(deployables());
    assertThat(deployables())
        .allSatisfy(
            name -> {
              assertThat(ComposeFile.service(name).at("/build/target").asString()).isEqualTo(name);
              assertThat(ComposeFile.image(name))
                  .isEqualTo("kabar/%s:%s".formatted(name, version()));
            });
    assertThat(Checkout.read("Dockerfile")).contains("ARG VERSION=" + version() + "\n");
  }

  @Test
  void imagesOfTheClusterAreThoseOfCompose() {
    Manifests kind = Manifests.rendered(Manifests.KIND);
    assertThat(kind.workloads())
        .extracting(Workload::name)
        .containsExactlyInAnyOrderElementsOf(ComposeFile.services());
    assertThat(kind.workloads())
        .allSatisfy(it -> assertThat(it.image()).isEqualTo(ComposeFile.image(it.name())));
    assertThat(Manifests.rendered(Manifests.PRODUCTION).workloads())
        .allSatisfy(it -> assertThat(it.image()).isEqualTo(ComposeFile.image(it.name())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service"})
  void portsAndProbesAreTheServicesOwn(String name) {
    Settings settings = Settings.of(name);
    int management = settings.managementPort();
    Set<Integer> ports = new HashSet<>(List.of(settings.getInt("server.port"), management));
    assertThat(settings.get("management.endpoint.health.probes.enabled")).isEqualTo("true");
    assertThat(settings.get("management.endpoints.web.exposure.include")).contains("prometheus");

    assertThat(Dockerfile.target(name).ports()).containsExactlyInAnyOrderElementsOf(ports);
    assertThat(Dockerfile.target(name).healthCheck())
        .isEqualTo(management + "/actuator/health/readiness");
    for (String overlay : List.of(Manifests.KIND, Manifests.PRODUCTION)) {
      Workload workload = Manifests.rendered(overlay).workload(name);
      assertThat(workload.ports()).containsExactlyInAnyOrderElementsOf(ports);
      assertProbe(workload, "startupProbe", management, "/actuator/health/liveness");
      assertProbe(workload, "livenessProbe", management, "/actuator/health/liveness");
      assertProbe(workload, "readinessProbe", management, "/actuator/health/readiness");
      JsonNode annotations = workload.object().at("/spec/template/metadata/annotations");
      assertThat(annotations.path("prometheus.io/port").asString()).isEqualTo("" + management);
      assertThat(annotations.path("prometheus.io/path").asString())
          .isEqualTo("/actuator/prometheus");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void livenessDependsOnNobodyElse(String overlay) {
    for (String service : SERVICES) {
      assertThat(overlayWithSecrets(overlay).workload(service).environment().keySet())
          .noneMatch(name -> name.startsWith("MANAGEMENT_ENDPOINT_HEALTH_GROUP"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void everyVariableIsASettingOfItsService(String overlay) {
    for (String service : SERVICES) {
      Settings settings = Settings.of(service);
      assertThat(overlayWithSecrets(overlay).workload(service).environment().keySet())
          .as(service)
          .allMatch(settings::knows);
      assertThat(ComposeFile.environment(service).keySet()).as(service).allMatch(settings::knows);
    }
    assertThat(Settings.of("outbox-relay").knows("SPRING_KAFKA_BOOTSTRAP_SERVER")).isFalse();
  }

  @Test
  void clusterAndComposeGiveTheSameSettings() {
    Manifests kind = Manifests.rendered(Manifests.KIND);
    for (String service : ComposeFile.services()) {
      Map<String, String> environment = kind.workload(service).environment();
      environment.remove("LOGGING_STRUCTURED_FORMAT_CONSOLE");
      Map<String, String> compose = ComposeFile.environment(service);
      if (service.equals("kafka")) { // in compose it has a listener for this machine as well
        Stream.of(environment, compose)
            .forEach(it -> it.keySet().removeIf(name -> name.contains("LISTENER")));
        environment.remove("KAFKA_LOG_DIRS");
        compose.remove("KAFKA_LOG_DIRS");
      }
      assertThat(environment).as(service).isEqualTo(compose);
    }
  }

  @Test
  void clusterAndComposeGiveTheSameMemory() {
    Manifests kind = Manifests.rendered(Manifests.KIND);
    for (String service : ComposeFile.services()) {
      String limit = kind.workload(service).container().at("/resources/limits/memory").asString();
      assertThat(limit.replace("i", "").toLowerCase(java.util.Locale.ROOT))
          .as(service)
          .isEqualTo(ComposeFile.service(service).required("mem_limit").asString());
    }
  }

  @Test
  void theExampleOfEnvironmentVariablesNamesAllOfThemWithTheirDefaults() {
    Map<String, String> example = new java.util.LinkedHashMap<>();
    Checkout.read(".env.example")
        .lines()
        .filter(line -> line.contains("=") && !line.startsWith("#"))
        .map(line -> line.split("=", 2))
        .forEach(pair -> example.put(pair[0], pair[1]));
    assertThat(example).isEqualTo(ComposeFile.variables());
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void everyReferenceToASecretOrConfigMapIsMet(String overlay) {
    for (Workload workload : overlayWithSecrets(overlay).workloads()) {
      assertThat(workload.environment()).doesNotContainValue("");
      Set<String> mounted = new HashSet<>();
      for (JsonNode volume : workload.pod().path("volumes")) {
        String mountPath = mountPath(workload, volume.required("name").asString());
        if (volume.has("secret") || volume.has("configMap")) {
          workload.files(volume).keySet().forEach(file -> mounted.add(mountPath + "/" + file));
        }
      }
      // every file a setting names is mounted
      assertThat(
              workload.environment().values().stream()
                  .flatMap(value -> Pattern.compile("/etc/tls/[\\w./-]+").matcher(value).results())
                  .map(MatchResult::group))
          .as(workload.name())
          .allMatch(mounted::contains);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void everySelectorMeansSomethingThatRuns(String overlay) {
    Manifests manifests = Manifests.rendered(overlay);
    List<Workload> workloads = manifests.workloads();
    assertThat(workloads)
        .allSatisfy(it -> assertThat(it.matches(it.object().at("/spec/selector"))).isTrue());
    for (JsonNode service : manifests.ofKind("Service")) {
      List<Workload> behind =
          workloads.stream().filter(it -> it.hasLabels(service.at("/spec/selector"))).toList();
      assertThat(behind).as(Manifests.nameOf(service)).hasSize(1);
      assertThat(behind.getFirst().name()).isEqualTo(Manifests.nameOf(service));
      for (JsonNode port : service.at("/spec/ports")) {
        assertThat(behind.getFirst().port(port.required("targetPort")))
            .isEqualTo(port.required("port").asInt());
      }
    }
    for (JsonNode budget : manifests.ofKind("PodDisruptionBudget")) {
      assertThat(workloads)
          .filteredOn(it -> it.matches(budget.at("/spec/selector")))
          .extracting(Workload::name)
          .containsExactly(Manifests.nameOf(budget));
    }
    assertThat(manifests.ofKind("PodDisruptionBudget"))
        .extracting(Manifests::nameOf)
        .containsExactlyInAnyOrderElementsOf(SERVICES);
  }

  @Test
  void everyAddressInTheClusterIsAServiceThatThePoliciesLeadTo() {
    Manifests kind = Manifests.rendered(Manifests.KIND);
    NetworkPolicies policies = new NetworkPolicies(kind);
    for (Workload from :
        kind.workloads().stream().filter(it -> SERVICES.contains(it.name())).toList()) {
      Set<String> reached = new HashSet<>();
      addresses(from)
          .forEach(
              address -> {
                Workload to = kind.workload(address.group(1));
                int port = Integer.parseInt(address.group(2));
                assertThat(kind.get("Service", to.name()).at("/spec/ports/0/port").asInt())
                    .isEqualTo(port);
                assertThat(policies.allow(from, to, port))
                    .as("%s to %s:%d", from.name(), to.name(), port)
                    .isTrue();
                reached.add(to.name());
              });
      assertThat(reached).isNotEmpty();
      for (Workload to : kind.workloads()) {
        boolean allowed = to.ports().stream().anyMatch(port -> policies.allow(from, to, port));
        assertThat(allowed)
            .as("%s to %s", from.name(), to.name())
            .isEqualTo(reached.contains(to.name()));
      }
    }
  }

  @Test
  void everyAddressOutsideTheClusterHasAPolicyForItsPort() {
    Manifests production = overlayWithSecrets(Manifests.PRODUCTION);
    for (Workload from : production.workloads()) {
      Set<Integer> ports = new HashSet<>();
      addresses(from).forEach(address -> ports.add(Integer.parseInt(address.group(2))));
      if (from.environment().values().stream().anyMatch(value -> value.startsWith("https://"))) {
        ports.add(443);
      }
      assertThat(new NetworkPolicies(production).portsLeadingOut(from))
          .as(from.name())
          .isEqualTo(ports);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Manifests.KIND, Manifests.PRODUCTION})
  void policiesNameOnlyPortsThatSomebodyListensOn(String overlay) {
    Manifests manifests = Manifests.rendered(overlay);
    for (JsonNode policy : manifests.ofKind("NetworkPolicy")) {
      List<Workload> selected =
          manifests.workloads().stream()
              .filter(it -> it.matches(policy.at("/spec/podSelector")))
              .toList();
      assertThat(selected).as(Manifests.nameOf(policy)).isNotEmpty();
      for (JsonNode rule : policy.at("/spec/ingress")) {
        for (JsonNode port : rule.path("ports")) {
          assertThat(selected)
              .as(Manifests.nameOf(policy))
              .allSatisfy(it -> assertThat(it.ports()).contains(it.port(port.required("port"))));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"order-service", "outbox-relay", "notification-service"})
  void theGraceIsLongerThanTheDrain(String name) {
    Workload workload = Manifests.rendered(Manifests.KIND).workload(name);
    Duration drain =
        Settings.of(name)
            .getDuration("spring.lifecycle.timeout-per-shutdown-phase")
            .plusSeconds(workload.container().at("/lifecycle/preStop/sleep/seconds").asInt(0));
    Duration grace =
        Duration.ofSeconds(workload.pod().required("terminationGracePeriodSeconds").asLong());
    assertThat(grace).isGreaterThanOrEqualTo(drain.plusSeconds(5));
    assertThat(ComposeFile.service(name).path("stop_grace_period").asString())
        .isEqualTo(grace.toSeconds() + "s");
  }

  @Test
  void autoscalersScaleWhatTheirNamesSay() {
    Manifests production = ProductionWithKeda.rendered();
    for (String kind : List.of("HorizontalPodAutoscaler", "ScaledObject")) {
      for (JsonNode scaler : production.ofKind(kind)) {
        String target = scaler.at("/spec/scaleTargetRef/name").asString();
        assertThat(target).isEqualTo(Manifests.nameOf(scaler));
        assertThat(production.get("Deployment", target).at("/spec/replicas").isMissingNode())
            .as("%s has no fixed number of replicas", target)
            .isTrue();
      }
    }
    Settings notification = Settings.of("notification-service");
    JsonNode scaler = production.get("ScaledObject", "notification-service");
    assertThat(scaler.at("/spec/maxReplicaCount").asInt())
        .isEqualTo(notification.getInt("notification.topics.partitions"));
    assertThat(scaler.at("/spec/triggers/0/metadata/query").asString())
        .contains("topic=\"%s\"".formatted(notification.get("notification.topics.order-paid")));
  }

  private static Stream<MatchResult> addresses(Workload from) {
    return from.environment().values().stream().flatMap(value -> ADDRESS.matcher(value).results());
  }

  private static void assertProbe(Workload workload, String probe, int port, String path) {
    JsonNode request = workload.container().required(probe).required("httpGet");
    assertThat(workload.port(request.required("port"))).as(probe).isEqualTo(port);
    assertThat(request.required("path").asString()).as(probe).isEqualTo(path);
  }

  private static String mountPath(Workload workload, String volume) {
    return workload
        .container()
        .path("volumeMounts")
        .valueStream()
        .filter(mount -> mount.required("name").asString().equals(volume))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing mounts the volume " + volume))
        .required("mountPath")
        .asString();
  }

  /** The production overlay's secrets are made by hand, after an example. */
  private static Manifests overlayWithSecrets(String overlay) {
    List<JsonNode> objects = Manifests.rendered(overlay).objects();
    if (!overlay.equals(Manifests.PRODUCTION)) {
      return new Manifests(objects);
    }
    return new Manifests(
        Stream.concat(
                objects.stream(),
                Manifests.of(Checkout.read(overlay + "/secrets.example.yaml")).objects().stream())
            .toList());
  }

  private static List<String> deployables() {
    return Stream.concat(SERVICES.stream(), Stream.of("email-stub")).toList();
  }

  private static String version() {
    return Pattern.compile("<artifactId>kabar</artifactId>\\s*<version>(.+)-SNAPSHOT</version>")
        .matcher(Checkout.read("pom.xml"))
        .results()
        .findFirst()
        .orElseThrow()
        .group(1);
  }
}
