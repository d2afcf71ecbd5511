package id.kabar.localstack.broken;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.history.History;
import id.kabar.localstack.history.HistoryReader;
import id.kabar.localstack.history.Sources;
import id.kabar.localstack.servers.KafkaServer;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.Provisioning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.awaitility.Awaitility;

/**
 * The servers the miniatures stand on, with the services' own tables, and emptied for each test.
 */
final class Ground implements AutoCloseable {

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final PettyProvider provider = new PettyProvider();

  Ground(Path folder) throws SQLException, IOException {
    postgres =
        new PostgresServer(
            folder.resolve("postgres"), Ports.free(), folder.resolve("postgres.log"));
    kafka =
        new KafkaServer(
            folder.resolve("kafka"), Ports.free(), Ports.free(), folder.resolve("kafka.log"));
    postgres.diesWithThisJvm();
    kafka.diesWithThisJvm();
    postgres.launch();
    kafka.launch();
    postgres.awaitReady();
    kafka.awaitReady();
    try (Connection superuser = postgres.connect("postgres")) {
      Provisioning.all(superuser);
    }
    migrate("orders", "order-service");
    migrate("notifications", "notification-service");
  }

  PettyProvider provider() {
    return provider;
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  Connection orders() throws SQLException {
    return postgres.connect("orders");
  }

  Connection notifications() throws SQLException {
    return postgres.connect("notifications");
  }

  /** Nothing has ever happened; the dead-letter topic is absent until {@link #addTopic}. */
  void clear() throws SQLException {
    try (Connection orders = orders();
        Connection notifications = notifications()) {
      orders.createStatement().execute("truncate orders, outbox_event, outbox_archive cascade");
      notifications.createStatement().execute("truncate processed_event, dead_letter cascade");
    }
    provider.clear();
    try (Admin admin = admin()) {
      List<String> groups =
          await(admin.listGroups().all()).stream().map(GroupListing::groupId).toList();
      await(admin.deleteConsumerGroups(groups).all());
      Set<String> topics = await(admin.listTopics().names());
      await(admin.deleteTopics(topics).all());
      Awaitility.await().until(() -> await(admin.listTopics().names()).isEmpty());
    }
    addTopic(History.TOPIC);
  }

  void addTopic(String name) {
    try (Admin admin = admin()) {
      await(admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all());
    }
  }

  String newOrder() throws SQLException {
    String id = UUID.randomUUID().toString();
    try (Connection orders = orders();
        var insert =
            orders.prepareStatement(
                """
                insert into orders (id, customer_email, total_amount, currency, status, created_at, version)
                values (?::uuid, 'x@example.com', 1, 'IDR', 'PENDING', clock_timestamp(), 0)
                """)) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
    return id;
  }

  History history() {
    return new HistoryReader(
            new Sources(
                postgres.jdbcUrl("orders"),
                postgres.jdbcUrl("notifications"),
                PostgresServer.SUPERUSER,
                postgres.superuserPassword(),
                kafka.bootstrapServers(),
                provider.url()))
        .read(List.of());
  }

  @Override
  public void close() {
    provider.close();
    kafka.kill();
    postgres.kill();
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private void migrate(String database, String service) throws SQLException, IOException {
    Path folder = LocalStack.checkout().resolve(service).resolve("src/main/resources/db/migration");
    List<Path> scripts;
    try (Stream<Path> files = Files.list(folder)) {
      scripts =
          files
              .filter(file -> file.getFileName().toString().matches("V\\d+__.*\\.sql"))
              .sorted(Comparator.comparingInt(Ground::version))
              .toList();
    }
    try (Connection connection = postgres.connect(database)) {
      for (Path script : scripts) {
        connection
            .createStatement()
            .execute(Files.readString(script).replace("${relay_role}", "outbox_relay"));
      }
    }
  }

  private static int version(Path script) {
    String name = script.getFileName().toString();
    return Integer.parseInt(name.substring(1, name.indexOf("__")));
  }

  private static <T> T await(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
