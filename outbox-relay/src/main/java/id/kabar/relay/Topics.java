package id.kabar.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the broker says about the routes' topics. Known before an event is sent, so that an absent
 * topic is the trouble of its own events and delays no others; absent ones are made at the start.
 */
final class Topics implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Topics.class);
  static final Duration PATIENCE = Duration.ofSeconds(3);

  /** A broker may answer here and still accept no event: only after so long it is well again. */
  private static final Duration SINCE_LAST_OUTAGE = Duration.ofSeconds(30);

  /**
   * @param maxMessageBytes the largest batch it takes
   * @param failure why no event can go there, or null when they can
   */
  record Topic(int maxMessageBytes, @Nullable Failure failure) {}

  private final RelaySettings settings;
  private final Supplier<Admin> connect;
  private final Neighbour broker;
  private final ReentrantLock asking = new ReentrantLock();
  private final Set<String> seen = new HashSet<>();
  private volatile @Nullable Admin admin;
  private volatile Map<String, Topic> known = Map.of();
  private volatile boolean reachable;
  private boolean missed;

  Topics(RelaySettings settings, Supplier<Admin> connect, Neighbour broker) {
    this.settings = settings;
    this.connect = connect;
    this.broker = broker;
  }

  /** Whether the broker answered when last asked, and nobody has doubted it since. */
  boolean reachable() {
    return reachable;
  }

  /** After an outage: ask before anything is sent again. */
  void doubt() {
    reachable = false;
  }

  @Nullable Topic find(String topic) {
    return known.get(topic);
  }

  /** Asks the broker, for a few seconds at most; true when it answered. */
  boolean refresh() {
    if (!asking.tryLock()) {
      return reachable; // somebody is about to know
    }
    try {
      Map<String, Topic> answer = new HashMap<>();
      Set<String> names = new HashSet<>(settings.routes().values());
      describe(names, answer);
      if (settings.topics().create() && create(names, answer)) {
        describe(names, answer);
      }
      measure(answer);
      known = Map.copyOf(answer);
      reachable = true;
      if (missed || broker.notMissedFor(SINCE_LAST_OUTAGE)) {
        broker.answered();
      }
      missed = false;
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      reachable = false;
      missed = true;
      broker.silent(reason(e));
      return false;
    } finally {
      asking.unlock();
    }
  }

  private static String reason(Exception e) {
    if (e instanceof TimeoutException) {
      return "no answer within %d s".formatted(PATIENCE.toSeconds());
    }
    Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
    return Failure.of(cause).reason();
  }

  private void describe(Set<String> names, Map<String, Topic> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<String, KafkaFuture<TopicDescription>> futures =
        admin().describeTopics(names).topicNameValues();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> future : futures.entrySet()) {
      String topic = future.getKey();
      try {
        future.getValue().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        seen.add(topic);
        answer.put(topic, new Topic(Integer.MAX_VALUE, null));
      } catch (ExecutionException e) {
        answer.put(topic, new Topic(Integer.MAX_VALUE, verdict(topic, e)));
      }
    }
  }

  /** What its own fault is with a topic; anything else is the broker's and thrown on. */
  private static Failure verdict(String topic, ExecutionException e) throws ExecutionException {
    Failure failure = Failure.of(Objects.requireNonNull(e.getCause()));
    if (e.getCause() instanceof UnknownTopicOrPartitionException) {
      return Failure.retry(
          "Topic %s does not exist: create it, or correct relay.routes".formatted(topic));
    }
    if (!failure.isRefusal()) {
      throw e;
    }
    return failure;
  }

  /** Makes what was never there; a topic that somebody deleted meanwhile is not made again. */
  private boolean create(Set<String> names, Map<String, Topic> answer)
      throws InterruptedException, TimeoutException {
    RelaySettings.Topics made = settings.topics();
    List<NewTopic> absent =
        names.stream()
            .filter(name -> !seen.contains(name))
            .filter(name -> isRetried(answer.get(name)))
            .map(name -> new NewTopic(name, made.partitions(), made.replicationFactor()))
            .toList();
    if (absent.isEmpty()) {
      return false;
    }
    Map<String, KafkaFuture<Void>> futures = admin().createTopics(absent).values();
    for (Map.Entry<String, KafkaFuture<Void>> future : futures.entrySet()) {
      try {
        future.getValue().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        log.info("Created topic {} with {} partitions", future.getKey(), made.partitions());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TopicExistsException)) {
          log.warn("Topic {} cannot be created: {}", future.getKey(), e.getMessage());
        }
      }
    }
    return true;
  }

  private static boolean isRetried(@Nullable Topic topic) {
    return topic != null && topic.failure() != null && topic.failure().fate() == Failure.Fate.RETRY;
  }

  /** The size limits; where the broker does not tell them, its refusals will. */
  private void measure(Map<String, Topic> answer) throws InterruptedException, TimeoutException {
    List<ConfigResource> present =
        answer.entrySet().stream()
            .filter(topic -> topic.getValue().failure() == null)
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic.getKey()))
            .toList();
    Map<ConfigResource, KafkaFuture<Config>> futures = admin().describeConfigs(present).values();
    for (Map.Entry<ConfigResource, KafkaFuture<Config>> future : futures.entrySet()) {
      try {
        Config config = future.getValue().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        ConfigEntry limit = config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        if (limit != null) {
          answer.put(future.getKey().name(), new Topic(Integer.parseInt(limit.value()), null));
        }
      } catch (ExecutionException e) {
        log.debug("No size limit known for topic {}: {}", future.getKey().name(), e.getMessage());
      }
    }
  }

  private Admin admin() {
    Admin open = admin;
    if (open == null) {
      open = connect.get();
      admin = open;
    }
    return open;
  }

  @Override
  public void close() {
    Admin open = admin;
    if (open != null) {
      open.close(Duration.ZERO);
    }
  }
}
