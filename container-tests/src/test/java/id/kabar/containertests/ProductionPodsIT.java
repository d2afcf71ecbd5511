package id.kabar.containertests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.containertests.Certificates.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The pods of the production overlay reach databases and a broker that talk TLS alone and, the
 * broker, know their clients by certificate.
 */
@Order(5)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProductionPodsIT {

  private static final List<String> SERVICES =
      List.of("order-service", "outbox-relay", "notification-service");
  private static final String PASSWORD = "of-this-test";

  private final Pods pods = new Pods();

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Docker.assumeItAnswers();
    Manifests overlay = Manifests.rendered(Manifests.PRODUCTION);
    Docker.buildImages();
    pods.createNetwork();

    Certificates certificates = new Certificates(folder);
    Identity servers =
        certificates.issue(
            "servers",
            "orders-db.example.com",
            "notifications-db.example.com",
            "kafka.example.com");
    Path tls = Files.createDirectory(folder.resolve("tls"));
    Files.writeString(tls.resolve("ca.crt"), certificates.authority());
    Files.writeString(tls.resolve("server.crt"), servers.certificate());
    Files.writeString(tls.resolve("server.key"), servers.key());
    Files.writeString(tls.resolve("server.pem"), servers.key() + servers.certificate());
    startDatabase("orders", tls);
    startDatabase("notifications", tls);
    startKafka(tls);

    Manifests manifests =
        new Manifests(Stream.concat(overlay.objects().stream(), secrets(certificates)).toList());
    SERVICES.forEach(service -> pods.start(manifests.workload(service), folder));
  }

  @AfterAll
  void remove() {
    pods.close();
  }

  @Test
  void everyProbeIsPassed() {
    SERVICES.forEach(pods::awaitHealthy);
  }

  @Test
  void anOrderPaidIsPublishedAndClaimed() {
    SERVICES.forEach(pods::awaitHealthy);
    new Shop(pods.url("order-service", 8080)).buy();
    await("the relay's publication")
        .atMost(Duration.ofMinutes(3))
        .until(
            () ->
                metrics("outbox-relay")
                    .anyMatch(line -> line.matches("outbox_published_total.* [1-9].*")));
    await("a claim in the database of notification-service")
        .atMost(Duration.ofMinutes(3))
        .until(() -> sql("notifications", "select count(*) from processed_event").equals("1"));
  }

  @Test
  void noSessionIsWithoutTls() {
    SERVICES.forEach(pods::awaitHealthy);
    for (String database : List.of("orders", "notifications")) {
      assertThat(
              sql(
                  database,
                  """
                  select count(*) filter (where ssl) > 0 and count(*) filter (where not ssl) = 0
                  from pg_stat_ssl join pg_stat_activity using (pid) where client_addr is not null
                  """))
          .as(database)
          .isEqualTo("t");
    }
  }

  private void startDatabase(String database, Path tls) {
    pods.run(
        database + "-db",
        List.of(
            "--network-alias=%s-db.example.com".formatted(database),
            "--volume=%s:/tls:ro".formatted(tls),
            "--volume=%s:/docker-entrypoint-initdb.d/%s.sql:ro"
                .formatted(Checkout.ROOT.resolve("databases/%s.sql".formatted(database)), database),
            "--env=POSTGRES_PASSWORD=" + PASSWORD,
            "--env=ORDER_SERVICE_PASSWORD=" + PASSWORD,
            "--env=OUTBOX_RELAY_PASSWORD=" + PASSWORD,
            "--env=NOTIFICATION_SERVICE_PASSWORD=" + PASSWORD,
            "--entrypoint=bash",
            ComposeFile.image(database + "-db"),
            "-c",
            // PostgreSQL wants its key for itself
            """
            install -o postgres -m 600 /tls/server.key /tmp/server.key &&
            exec docker-entrypoint.sh postgres -c ssl=on \
              -c ssl_cert_file=/tls/server.crt -c ssl_key_file=/tmp/server.key\
            """));
  }

  private void startKafka(Path tls) {
    Map<String, String> settings =
        Map.ofEntries(
            Map.entry("NODE_ID", "1"),
            Map.entry("PROCESS_ROLES", "broker,controller"),
            Map.entry("CONTROLLER_QUORUM_VOTERS", "1@localhost:9094"),
            Map.entry("CONTROLLER_LISTENER_NAMES", "CONTROLLER"),
            Map.entry(
                "LISTENERS",
                "CLIENTS://:9093,INTERNAL://localhost:9092,CONTROLLER://localhost:9094"),
            Map.entry(
                "ADVERTISED_LISTENERS",
                "CLIENTS://kafka.example.com:9093,INTERNAL://localhost:9092"),
            Map.entry(
                "LISTENER_SECURITY_PROTOCOL_MAP",
                "CLIENTS:SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT"),
            Map.entry("INTER_BROKER_LISTENER_NAME", "INTERNAL"),
            Map.entry("AUTO_CREATE_TOPICS_ENABLE", "false"),
            Map.entry("OFFSETS_TOPIC_REPLICATION_FACTOR", "1"),
            Map.entry("SSL_CLIENT_AUTH", "required"),
            Map.entry("SSL_KEYSTORE_TYPE", "PEM"),
            Map.entry("SSL_KEYSTORE_LOCATION", "/tls/server.pem"),
            Map.entry("SSL_TRUSTSTORE_TYPE", "PEM"),
            Map.entry("SSL_TRUSTSTORE_LOCATION", "/tls/ca.crt"));
    List<String> line =
        new ArrayList<>(
            List.of("--network-alias=kafka.example.com", "--volume=%s:/tls:ro".formatted(tls)));
    settings.forEach((name, value) -> line.add("--env=KAFKA_%s=%s".formatted(name, value)));
    line.add(ComposeFile.image("kafka"));
    pods.run("kafka", line);
  }

  /** The keys that the example has, with values that hold here. */
  private static Stream<JsonNode> secrets(Certificates certificates) {
    Identity client = certificates.issue("client");
    Map<String, String> values =
        Map.of(
            "password", PASSWORD,
            "ca.crt", certificates.authority(),
            "tls.crt", client.certificate(),
            "tls.key", client.key());
    String example = Checkout.read(Manifests.PRODUCTION + "/secrets.example.yaml");
    return Manifests.of(example).objects().stream()
        .map(
            secret -> {
              Map<String, String> data = new LinkedHashMap<>();
              secret
                  .required("stringData")
                  .propertyNames()
                  .forEach(key -> data.put(key, values.get(key)));
              return JsonMapper.shared()
                  .valueToTree(
                      Map.of(
                          "kind",
                          "Secret",
                          "metadata",
                          secret.required("metadata"),
                          "stringData",
                          data));
            });
  }

  private Stream<String> metrics(String service) throws IOException {
    int port = Settings.of(service).managementPort();
    return Http.get(pods.url(service, port) + "/actuator/prometheus").body().lines();
  }

  private String sql(String database, String query) {
    return Docker.run(
        "exec",
        pods.network() + "-" + database + "-db",
        "psql",
        "--username=postgres",
        "--dbname=" + database,
        "--tuples-only",
        "--no-align",
        "--command=" + query);
  }
}
