package id.kabar.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Down when records wait and none is finished, or when a listener has stopped. Having no partition
 * is fine: with more instances than partitions somebody has none, and must not hold up a rollout.
 */
@Component("listeners")
class ListenersHealth implements HealthIndicator {

  private final KafkaListenerEndpointRegistry listeners;
  private final ListenerProgress progress;
  private final ListenerSettings settings;
  private final Clock clock;

  private Instant finishedBefore = Instant.MIN;
  private volatile @Nullable Instant waitingSince;

  ListenersHealth(
      KafkaListenerEndpointRegistry listeners,
      ListenerProgress progress,
      ListenerSettings settings,
      Clock clock) {
    this.listeners = listeners;
    this.progress = progress;
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public Health health() {
    List<String> stopped =
        containers().stream()
            .filter(listener -> !listener.isRunning())
            .map(MessageListenerContainer::getListenerId)
            .toList();
    Duration stuck = longestWait();
    Health.Builder health =
        stopped.isEmpty() && stuck.compareTo(settings.progressBound()) < 0
            ? Health.up()
            : Health.down();
    if (!stopped.isEmpty()) {
      health.withDetail("stopped", stopped);
    }
    if (stuck.compareTo(settings.progressBound()) >= 0) {
      health.withDetail(
          "reason",
          "assigned but no progress: records have waited for %d s without one being finished"
              .formatted(stuck.toSeconds()));
    }
    return health
        .withDetail("partitions", assignedPartitions())
        .withDetail("lastFinished", progress.lastFinished().toString())
        .build();
  }

  private Duration longestWait() {
    Instant since = waitingSince;
    Duration lagging = since == null ? Duration.ZERO : Duration.between(since, clock.instant());
    Duration inHand = progress.longestInHand().orElse(Duration.ZERO);
    return lagging.compareTo(inHand) > 0 ? lagging : inHand;
  }

  /** Notices consumers that no longer get their records at all. */
  @Scheduled(fixedDelay = 5_000)
  void look() {
    Instant finished = progress.lastFinished();
    if (lag() == 0 || !finished.equals(finishedBefore)) {
      waitingSince = null;
    } else if (waitingSince == null) {
      waitingSince = clock.instant();
    }
    finishedBefore = finished;
  }

  private double lag() {
    return containers().stream()
        .map(MessageListenerContainer::metrics)
        .map(Map::values)
        .flatMap(Collection::stream)
        .map(Map::entrySet)
        .flatMap(Collection::stream)
        .filter(metric -> isLag(metric.getKey()))
        .mapToDouble(ListenersHealth::value)
        .sum();
  }

  private static boolean isLag(MetricName name) {
    return name.name().equals("records-lag") && name.tags().containsKey("partition");
  }

  private static double value(Map.Entry<MetricName, ? extends Metric> metric) {
    return metric.getValue().metricValue() instanceof Double lag && lag > 0 ? lag : 0;
  }

  private int assignedPartitions() {
    return containers().stream()
        .map(MessageListenerContainer::getAssignedPartitions)
        .mapToInt(partitions -> partitions == null ? 0 : partitions.size())
        .sum();
  }

  private Collection<MessageListenerContainer> containers() {
    return listeners.getListenerContainers();
  }
}
