package id.kabar.benchmarks;

import id.kabar.localstack.servers.Folders;
import id.kabar.localstack.servers.KafkaServer;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The real PostgreSQL and the real Kafka that everything is measured on, as processes of their own.
 * Two PostgreSQLs, since logical decoding needs a {@code wal_level} that costs the others
 * something; the one not in use idles.
 */
public final class Servers implements AutoCloseable {

  /** Beside fsync and synchronous_commit, which are on; the same for every arm. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "shared_buffers", "512MB",
          "max_wal_size", "4GB",
          "checkpoint_timeout", "15min",
          "shared_preload_libraries", "pg_stat_statements");

  public static final int PARTITIONS = 3;

  private final Path folder;
  private final PostgresServer postgres;
  private final PostgresServer decoding;
  private final KafkaServer kafka;
  private final Path checkout;
  private int topics;

  Servers(Path folder, Path checkout) {
    this.folder = folder;
    this.checkout = checkout;
    postgres = postgres("postgres", Map.of());
    decoding = postgres("postgres-decoding", Map.of("wal_level", "logical"));
    kafka =
        new KafkaServer(
            folder.resolve("kafka"), Ports.free(), Ports.free(), folder.resolve("kafka.log"));
    List.of(postgres, decoding, kafka).forEach(ServerProcess::diesWithThisJvm);
  }

  private PostgresServer postgres(String name, Map<String, String> more) {
    Map<String, String> settings = new TreeMap<>(SETTINGS);
    settings.putAll(more);
    return new PostgresServer(
        folder.resolve(name), Ports.free(), folder.resolve(name + ".log"), settings);
  }

  /** A folder for logs of what is measured. */
  public Path folder() {
    return folder;
  }

  public KafkaServer kafka() {
    return kafka;
  }

  public String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** An empty database with order-service's schema, on a server made for it if need be. */
  public Database freshDatabase() throws SQLException, IOException {
    return Database.fresh(postgres, checkout);
  }

  /** The same on the server whose log can be decoded. */
  public Database freshDatabaseForDecoding() throws SQLException, IOException {
    return Database.fresh(decoding, checkout);
  }

  /** An empty topic whose records carry the time at which the broker appended them. */
  public String newTopic() throws InterruptedException {
    String name = "bench.%d".formatted(++topics);
    NewTopic topic =
        new NewTopic(name, Optional.of(PARTITIONS), Optional.of((short) 1))
            .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime"));
    try (Admin admin = admin()) {
      admin.createTopics(List.of(topic)).all().get();
      return name;
    } catch (ExecutionException e) {
      throw new IllegalStateException("topic %s was not created".formatted(name), e);
    }
  }

  public void deleteTopic(String name) {
    try (Admin admin = admin()) {
      admin.deleteTopics(List.of(name)).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("topic %s was not deleted".formatted(name), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // whoever waits next ends
    }
  }

  public Admin admin() {
    return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()));
  }

  void start() {
    postgres.launch();
    decoding.launch();
    kafka.launch();
    postgres.awaitReady();
    decoding.awaitReady();
    kafka.awaitReady();
  }

  @Override
  public void close() throws IOException {
    ServerProcess.stopAll(List.of(kafka, postgres, decoding));
    Folders.delete(folder.resolve("kafka"));
    Folders.delete(folder.resolve("postgres"));
    Folders.delete(folder.resolve("postgres-decoding"));
  }
}
