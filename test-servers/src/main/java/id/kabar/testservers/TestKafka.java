package id.kabar.testservers;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * One Kafka broker per JVM, started at first use, in the same way as {@link TestPostgres}. Topics
 * are never created by accident.
 */
public final class TestKafka {

  private static final Duration TOPIC_PATIENCE = Duration.ofSeconds(30);
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(3);

  private static final class Shared {
    static final TestKafka INSTANCE = new TestKafka(Mode.decision());
  }

  private final KafkaBackend backend;

  private TestKafka(Mode.Decision decision) {
    backend =
        switch (decision.mode()) {
          case EMBEDDED -> new EmbeddedKafka();
          case CONTAINERS -> new ContainerKafka();
        };
    System.out.println(decision.announce("Kafka", bootstrapServers()));
  }

  public static TestKafka shared() {
    return Shared.INSTANCE;
  }

  public String bootstrapServers() {
    return backend.bootstrapServers();
  }

  /** Returns when every partition has its leader; a topic that is there already stays as it is. */
  public void createTopic(String name, int partitions) {
    try (Admin admin = admin(bootstrapServers(), TOPIC_PATIENCE)) {
      try {
        admin
            .createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
            .all()
            .get();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          throw new IllegalStateException("Topic %s was not created".formatted(name), e.getCause());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
      await().atMost(TOPIC_PATIENCE).until(() -> hasLeaders(admin, name));
    }
  }

  /** For tests of an outage; the test that stops it starts it again. */
  public void stop() {
    backend.stop();
  }

  /** On the same port, with the same data; returns when it serves. */
  public void start() {
    backend.start();
  }

  static boolean answers(String bootstrapServers) {
    try (Admin admin = admin(bootstrapServers, ANSWER_PATIENCE)) {
      return !admin.describeCluster().nodes().get().isEmpty();
    } catch (ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean hasLeaders(Admin admin, String topic)
      throws InterruptedException, ExecutionException {
    try {
      return admin.describeTopics(List.of(topic)).allTopicNames().get().values().stream()
          .flatMap(description -> description.partitions().stream())
          .allMatch(partition -> partition.leader() != null && !partition.leader().isEmpty());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false; // the broker has not heard from its controller yet
      }
      throw e;
    }
  }

  private static Admin admin(String bootstrapServers, Duration timeout) {
    return Admin.create(
        Map.<String, Object>of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
            2_000,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            (int) timeout.toMillis()));
  }
}
