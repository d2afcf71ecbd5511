package id.kabar.relay;

import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** Down while due work waits and nothing is published, or the outbox cannot be reached. */
@Component
class RelayHealthIndicator implements HealthIndicator {

  /** The alert rules in docs/ name the same number. */
  private static final int FEW_DAYS = 3;

  private final RelayMetrics metrics;
  private final Neighbour database;
  private final Duration stalledAfter;

  RelayHealthIndicator(RelayMetrics metrics, Neighbour database, RelaySettings settings) {
    this.metrics = metrics;
    this.database = database;
    this.stalledAfter = settings.health().stalledAfter();
  }

  @Override
  public Health health() {
    Depth depth = metrics.depth();
    Duration idle = metrics.sinceLastPublished();
    Neighbour.Silence silence = database.silence();
    boolean stalled =
        depth.pausedSince() == null
            && depth.oldestDue().compareTo(stalledAfter) > 0
            && idle.compareTo(stalledAfter) > 0;
    Health.Builder health = stalled || silence != null ? Health.down() : Health.up();
    if (stalled) {
      health.withDetail(
          "reason",
          "Work is due for %d s, but nothing was published for %d s"
              .formatted(depth.oldestDue().toSeconds(), idle.toSeconds()));
    } else if (silence != null) {
      health.withDetail("unreachableSince", silence.since()).withDetail("reason", silence.reason());
    }
    if (depth.pausedSince() != null) {
      health.withDetail("pausedSince", depth.pausedSince());
    }
    if (metrics.deaf()) {
      health.withDetail(
          "doorbell", "does not hear itself: new events wait for the poll, see relay.doorbell");
    }
    Surroundings surroundings = metrics.surroundings();
    if (surroundings != null && surroundings.archiveDaysAhead() < FEW_DAYS) {
      health.withDetail(
          "archive",
          "only %d days are made ahead: published events will go to its default partition"
              .formatted(surroundings.archiveDaysAhead()));
    }
    return health
        .withDetail("pending", depth.pending())
        .withDetail("parked", depth.parked())
        .withDetail("oldestDueSeconds", depth.oldestDue().toSeconds())
        .build();
  }
}
