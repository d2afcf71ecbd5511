package id.kabar.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** What the relay did, and the outbox as it was when last measured. */
final class RelayMetrics {

  private final Clock clock;
  private final Counter published;
  private final Timer publish;
  private final Timer claim;
  private final DistributionSummary batch;
  private final Counter doorbellHits;
  private final Counter doorbellMisses;
  private volatile Depth depth = Depth.UNKNOWN;
  private volatile Instant lastPublished;

  RelayMetrics(MeterRegistry meters, Clock clock) {
    this.clock = clock;
    this.lastPublished = clock.instant();
    published =
        Counter.builder("outbox.published")
            .description("Events that Kafka confirmed and the outbox settled")
            .register(meters);
    publish =
        Timer.builder("outbox.publish")
            .description("From a round's first send to its last confirmation")
            .register(meters);
    claim =
        Timer.builder("outbox.claim")
            .description("Locking a round's buckets and reading their events")
            .register(meters);
    batch =
        DistributionSummary.builder("outbox.batch.size")
            .description("Events of a round that found any")
            .register(meters);
    doorbellHits =
        Counter.builder("outbox.doorbell")
            .tag("result", "hit")
            .description("Whether work was found because the doorbell rang, or by looking")
            .register(meters);
    doorbellMisses =
        Counter.builder("outbox.doorbell")
            .tag("result", "miss")
            .description("Whether work was found because the doorbell rang, or by looking")
            .register(meters);
    Gauge.builder("outbox.pending", this, m -> m.depth.pending())
        .description("Events not yet published; an estimate when there are many")
        .register(meters);
    Gauge.builder("outbox.parked", this, m -> m.depth.parked())
        .description("Events that wait for an operator")
        .register(meters);
    Gauge.builder("outbox.oldest.age", this, m -> m.depth.oldestDue().toMillis() / 1000.0)
        .description("How long the first due event has waited")
        .baseUnit("seconds")
        .register(meters);
  }

  void claimed(int events, Duration took) {
    claim.record(took);
    if (events > 0) {
      batch.record(events);
    }
  }

  void sent(Duration took) {
    publish.record(took);
  }

  void published(int events) {
    if (events > 0) {
      published.increment(events);
      lastPublished = clock.instant();
    }
  }

  void foundWork(boolean doorbellRang) {
    (doorbellRang ? doorbellHits : doorbellMisses).increment();
  }

  void measured(Depth depth) {
    this.depth = depth;
  }

  Depth depth() {
    return depth;
  }

  Duration sinceLastPublished() {
    return Duration.between(lastPublished, clock.instant());
  }
}
