package id.kabar.notification.event;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.stereotype.Component;

/**
 * Creates the two topics if they are absent, and keeps trying while the broker is away, so that the
 * order in which things start does not matter. An existing topic is never changed: Spring's own
 * {@code NewTopic} beans would add partitions to it.
 */
@Component
class Topics implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Topics.class);

  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final int LONGEST_CALL_MILLIS = 5_000;

  /**
   * A dead letter is its event plus a few headers: the broker's usual limit would refuse the dead
   * letter of an event that just fitted.
   */
  private static final String LARGEST_DEAD_LETTER = "2097152";

  private final TopicSettings topics;
  private final Map<String, Object> connection;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile boolean running;

  Topics(TopicSettings topics, KafkaAdmin admin) {
    this.topics = topics;
    this.connection = new HashMap<>(admin.getConfigurationProperties());
    connection.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LONGEST_CALL_MILLIS);
    connection.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, LONGEST_CALL_MILLIS);
  }

  /** Waits a moment for the first try, so that consumers normally find their topics at once. */
  @Override
  public void start() {
    running = true;
    Thread trying = Thread.ofVirtual().name("topics").start(this::createUntilTheyExist);
    try {
      trying.join(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void createUntilTheyExist() {
    boolean told = false;
    try {
      while (stop.getCount() > 0) {
        try {
          createIfAbsent();
          return;
        } catch (ExecutionException | TimeoutException | KafkaException e) {
          if (!told) {
            log.warn("Cannot look at the topics yet, trying on: {}", e.toString());
            told = true;
          }
        }
        if (stop.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void createIfAbsent() throws ExecutionException, InterruptedException, TimeoutException {
    try (Admin admin = Admin.create(connection)) {
      create(admin, events());
      // as many as the events' topic really has: a dead letter keeps its event's partition
      create(
          admin, deadLetters(partitionsOf(admin, topics.orderPaid()).orElse(topics.partitions())));
    }
  }

  private NewTopic events() {
    return new NewTopic(topics.orderPaid(), Optional.of(topics.partitions()), Optional.empty())
        .configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, millis(topics.retention())));
  }

  private NewTopic deadLetters(int partitions) {
    return new NewTopic(topics.deadLetters(), Optional.of(partitions), Optional.empty())
        .configs(
            Map.of(
                TopicConfig.RETENTION_MS_CONFIG,
                millis(topics.deadLetterRetention()),
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                LARGEST_DEAD_LETTER));
  }

  private static void create(Admin admin, NewTopic topic)
      throws ExecutionException, InterruptedException, TimeoutException {
    if (partitionsOf(admin, topic.name()).isPresent()) {
      return;
    }
    try {
      await(admin.createTopics(List.of(topic)).all());
      log.info("Created topic {} with {} partitions", topic.name(), topic.numPartitions());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }

  private static Optional<Integer> partitionsOf(Admin admin, String topic)
      throws ExecutionException, InterruptedException, TimeoutException {
    try {
      Collection<TopicDescription> found =
          await(admin.describeTopics(List.of(topic)).allTopicNames()).values();
      return found.stream().findFirst().map(description -> description.partitions().size());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static <T> T await(KafkaFuture<T> answer)
      throws ExecutionException, InterruptedException, TimeoutException {
    return answer.get(2L * LONGEST_CALL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  @Override
  public void stop() {
    stop.countDown();
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Before the listeners. */
  @Override
  public int getPhase() {
    return 0;
  }
}
