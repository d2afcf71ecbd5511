package id.kabar.notification;

import id.kabar.notification.email.Trust;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Down when records wait and none is finished, or when a listener has stopped. Waiting for the
 * provider on purpose is fine: it is the provider's trouble, and no restart helps. Having no
 * partition is fine: with more instances than partitions somebody has none, and must not hold up a
 * rollout.
 */
@Component("listeners")
class ListenersHealth implements HealthIndicator {

  private final KafkaListenerEndpointRegistry listeners;
  private final ListenerProgress progress;
  private final OutagePause outage;
  private final Backlog backlog;
  private final ListenerSettings settings;
  private final Clock clock;

  private Instant finishedBefore = Instant.MIN;
  private volatile @Nullable Instant waitingSince;

  ListenersHealth(
      KafkaListenerEndpointRegistry listeners,
      ListenerProgress progress,
      OutagePause outage,
      Backlog backlog,
      ListenerSettings settings,
      Clock clock) {
    this.listeners = listeners;
    this.progress = progress;
    this.outage = outage;
    this.backlog = backlog;
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
    Trust pause = outage.pause();
    Duration stuck = pause == null ? longestWait() : Duration.ZERO;
    Health.Builder health =
        stopped.isEmpty() && stuck.compareTo(settings.progressBound()) < 0
            ? Health.up()
            : Health.down();
    if (!stopped.isEmpty()) {
      health.withDetail("stopped", stopped);
    }
    if (pause != null) {
      health.withDetail("paused", pause.reason() + " since " + pause.since());
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
  @Scheduled(fixedDelayString = "${notification.listener.look-every:10s}")
  void look() {
    if (outage.pause() != null) {
      waitingSince = null;
      return;
    }
    OptionalLong waiting = waiting();
    if (waiting.isEmpty()) {
      return;
    }
    Instant finished = progress.lastFinished();
    if (waiting.getAsLong() == 0 || !finished.equals(finishedBefore)) {
      waitingSince = null;
    } else if (waitingSince == null) {
      waitingSince = clock.instant();
    }
    finishedBefore = finished;
  }

  private OptionalLong waiting() {
    long waiting = 0;
    for (MessageListenerContainer listener : containers()) {
      Collection<TopicPartition> assigned = listener.getAssignedPartitions();
      String group = listener.getGroupId();
      if (group != null && assigned != null && !assigned.isEmpty()) {
        OptionalLong ofListener = backlog.of(group, assigned);
        if (ofListener.isEmpty()) {
          return ofListener;
        }
        waiting += ofListener.getAsLong();
      }
    }
    return OptionalLong.of(waiting);
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
