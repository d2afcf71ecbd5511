package id.kabar.outgrow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import id.kabar.localstack.servers.Java;
import id.kabar.localstack.servers.KafkaServer;
import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.Provisioning;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same rows of the same table, published by Debezium with the connector.json beside this module
 * and then by the real relay: in the topic nobody can tell them apart.
 */
class OutgrowIT {

  private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();
  private static final String TOPIC = "order.paid";
  private static final int PARTITIONS = 3;

  @TempDir static Path folder;

  private static PostgresServer postgres;
  private static KafkaServer kafka;

  @BeforeAll
  static void start() throws Exception {
    postgres =
        new PostgresServer(
            folder.resolve("postgres"),
            Ports.free(),
            folder.resolve("postgres.log"),
            Map.of("wal_level", "logical"));
    kafka =
        new KafkaServer(
            folder.resolve("kafka"), Ports.free(), Ports.free(), folder.resolve("kafka.log"));
    List.of(postgres, kafka).forEach(ServerProcess::diesWithThisJvm);
    postgres.launch();
    kafka.launch();
    postgres.awaitReady();
    kafka.awaitReady();
    migrate();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(TOPIC, Optional.of(PARTITIONS), Optional.empty())))
          .all()
          .get();
    }
  }

  @AfterAll
  static void stop() {
    ServerProcess.stopAll(List.of(kafka, postgres));
  }

  @Test
  void debeziumPublishesTheRecordsThatTheRelayPublishes() throws Exception {
    // What waits when Debezium takes over, with positions that no longer follow the rows' place.
    append("order-1", "{\"eventId\":\"1\", \"note\" :  \"as   written\"}", "{}");
    append("order-2", "{\"z\":1,\"a\":{\"ünï\":\"😀 \\u00e9 \\\"quoted\\\"\"}}", "{}");
    append("order-1", "{\"eventId\":\"3\"}", "{\"traceparent\":\"00-abc-def-01\"}");
    execute("update outbox_event set due_at = null where payload::text like '%as   written%'");

    List<String> byDebezium;
    try (RunningDebezium debezium = new RunningDebezium()) {
      debezium.awaitStart();
      await().atMost(Duration.ofSeconds(30)).until(() -> records(0).size() >= 3);
      // And what is written from then on.
      append(
          "order-1",
          "{\"eventId\":\"4\"}",
          """
          {"ce_time":"2026-11-30T10:00:00Z", "ce_type":"id.kabar.OrderPaid.v1", "ce_source":"/order-service"}\
          """);
      append("order-3", "[1,\n 2]", "{\"content-type\":\"application/json\",\"x\":\"\"}");
      append("order-2", "{\"eventId\":\"6\"}", "{}");
      await().atMost(Duration.ofSeconds(30)).until(() -> records(0).size() >= 6);
      byDebezium = records(0);
    }
    List<String> byRelay;
    try (Relay relay = new Relay()) {
      relay.server.start();
      await().atMost(Duration.ofSeconds(30)).until(() -> records(0).size() >= 12);
      byRelay = records(6);
    }

    assertThat(byDebezium).hasSize(6);
    assertThat(byRelay).containsExactlyElementsOf(byDebezium);
  }

  /** Topic, partition, key, headers and value of all records behind the first ones, by key. */
  private static List<String> records(int skipped) {
    List<TopicPartition> partitions =
        IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition(TOPIC, n)).toList();
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofSeconds(1)).forEach(all::add);
      }
    }
    // Within a partition in its order; the first half of each key's records are Debezium's.
    all.sort(Comparator.comparing(r -> new String(r.key(), UTF_8)));
    Map<String, List<String>> byKey = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record : all) {
      byKey
          .computeIfAbsent(new String(record.key(), UTF_8), _ -> new ArrayList<>())
          .add(text(record));
    }
    List<String> chosen = new ArrayList<>();
    byKey
        .values()
        .forEach(
            list ->
                chosen.addAll(skipped == 0 ? list : list.subList(list.size() / 2, list.size())));
    return chosen;
  }

  private static String text(ConsumerRecord<byte[], byte[]> record) {
    StringBuilder text = new StringBuilder();
    text.append(record.topic()).append('-').append(record.partition()).append(' ');
    text.append(new String(record.key(), UTF_8)).append(' ');
    record
        .headers()
        .forEach(
            h -> text.append(h.key()).append('=').append(new String(h.value(), UTF_8)).append(' '));
    return text.append(new String(record.value(), UTF_8)).toString();
  }

  private static void append(String aggregate, String payload, String headers) throws SQLException {
    try (Connection connection = owner();
        PreparedStatement insert =
            connection.prepareStatement(
                """
                insert into outbox_event (aggregate_type, aggregate_id, event_type, payload, headers)
                values ('Order', ?, 'OrderPaid', ?::json, ?::json)
                """)) {
      insert.setString(1, aggregate);
      insert.setString(2, payload);
      insert.setString(3, headers);
      insert.executeUpdate();
    }
  }

  private static void migrate() throws SQLException, IOException {
    try (Connection superuser = postgres.connect("postgres")) {
      Provisioning.roles(superuser);
      Provisioning.outboxDatabase(superuser, "orders", "order_service");
    }
    Path migrations = CHECKOUT.resolve("order-service/src/main/resources/db/migration");
    try (Stream<Path> files = Files.list(migrations);
        Connection connection = owner();
        Statement statement = connection.createStatement()) {
      for (Path file : files.sorted(Comparator.comparingInt(OutgrowIT::version)).toList()) {
        statement.execute(Files.readString(file).replace("${relay_role}", "outbox_relay"));
      }
    }
    // What the README tells to do before the switch.
    execute("create role debezium login replication password 'debezium'");
    execute("grant connect on database orders to debezium");
    execute("grant select on outbox_event to debezium");
    execute("create publication kabar_outbox for table outbox_event with (publish = 'insert')");
  }

  private static int version(Path migration) {
    return Integer.parseInt(migration.getFileName().toString().replaceAll("^V(\\d+)__.*$", "$1"));
  }

  private static Connection owner() throws SQLException {
    return DriverManager.getConnection(
        postgres.jdbcUrl("orders"), "order_service", "order_service");
  }

  private static void execute(String sql) throws SQLException {
    try (Connection superuser = postgres.connect("orders");
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The engine with connector.json, but for where the servers are; heartbeats are Connect's. */
  private static final class RunningDebezium implements AutoCloseable {

    private final CountDownLatch started = new CountDownLatch(1);
    private final DebeziumRelay relay;
    private final Thread thread;

    RunningDebezium() throws IOException {
      JsonNode connector = new ObjectMapper().readTree(Files.readString(Path.of("connector.json")));
      Properties settings = new Properties();
      settings.setProperty("name", connector.get("name").asText());
      connector
          .get("config")
          .properties()
          .forEach(entry -> settings.setProperty(entry.getKey(), entry.getValue().asText()));
      settings.setProperty("database.hostname", "127.0.0.1");
      settings.setProperty("database.port", Integer.toString(postgres.port()));
      settings.setProperty("database.password", "debezium");
      settings.setProperty("heartbeat.interval.ms", "0");
      settings.setProperty(
          "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
      relay =
          new DebeziumRelay(
              settings, Map.of("bootstrap.servers", kafka.bootstrapServers()), started::countDown);
      thread = Thread.ofPlatform().daemon().start(relay::run);
    }

    void awaitStart() throws InterruptedException {
      assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws IOException {
      relay.close();
      assertThat(thread.isAlive()).isFalse();
    }
  }

  /** The relay as the build leaves it. */
  private static final class Relay implements AutoCloseable {

    private final ServerProcess server;

    Relay() {
      Map<String, String> environment = new HashMap<>();
      int port = Ports.free();
      environment.put("SERVER_PORT", Integer.toString(port));
      environment.put("SERVER_ADDRESS", "127.0.0.1");
      environment.put("SPRING_DATASOURCE_URL", postgres.jdbcUrl("orders"));
      environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers());
      server =
          new ServerProcess("outbox-relay", List.of(port), folder.resolve("relay.log")) {
            @Override
            protected void prepare() {}

            @Override
            protected List<String> command() {
              Path jar = CHECKOUT.resolve("outbox-relay/target/outbox-relay.jar");
              return List.of(Java.executable(), "-XX:TieredStopAtLevel=1", "-jar", jar.toString());
            }

            @Override
            protected Map<String, String> environment() {
              return environment;
            }

            @Override
            protected boolean isReady(OsProcess process) {
              return Ports.isHeldBy(process, port);
            }
          };
      server.diesWithThisJvm();
    }

    @Override
    public void close() {
      server.stop();
    }
  }
}
