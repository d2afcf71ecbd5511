package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class RelayHealthIndicatorTest {

  private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

  private Instant now = START;
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public ZoneOffset getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }
      };
  private final RelayMetrics metrics = new RelayMetrics(new SimpleMeterRegistry(), clock);
  private final RelayHealthIndicator indicator =
      new RelayHealthIndicator(metrics, new Neighbour("PostgreSQL", clock), Settings.defaults());

  @Test
  void dueWorkAndNothingPublishedIsDown() {
    now = START.plusSeconds(90);
    measured(Duration.ofSeconds(80), null, 7);

    Health health = indicator.health();

    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
    assertThat(health.getDetails().get("reason"))
        .isEqualTo("Work is due for 80 s, but nothing was published for 90 s");
  }

  @Test
  void oldWorkThatIsBeingPublishedIsUp() {
    now = START.plusSeconds(90);
    measured(Duration.ofSeconds(80), null, 7);
    metrics.published(1);

    assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
  }

  @Test
  void pauseIsSaidAndIsNoIllness() {
    now = START.plusSeconds(90);
    measured(Duration.ofSeconds(80), START, 7);

    Health health = indicator.health();

    assertThat(health.getStatus()).isEqualTo(Status.UP);
    assertThat(health.getDetails()).containsEntry("pausedSince", START);
  }

  @Test
  void deafDoorbellAndFewDaysAheadAreSaid() {
    measured(Duration.ZERO, null, 2);
    metrics.doorbellHears(false);

    assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
    assertThat(indicator.health().getDetails()).containsKeys("doorbell", "archive");
  }

  @Test
  void allWellSaysNoMoreThanTheFigures() {
    measured(Duration.ZERO, null, 7);

    assertThat(indicator.health().getDetails())
        .containsOnlyKeys("pending", "parked", "oldestDueSeconds");
  }

  private void measured(Duration oldestDue, @Nullable Instant pausedSince, int daysAhead) {
    metrics.measured(new Depth(1, 0, oldestDue, pausedSince, 0, 0), new Surroundings(0, daysAhead));
  }
}
