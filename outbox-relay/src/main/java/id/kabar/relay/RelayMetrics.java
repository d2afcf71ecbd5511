package id.kabar.relay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the relay did, and the outbox as it was when last measured. */
final class RelayMetrics {

  private final Clock clock;
  private final Counter published;
  private final Timer publish;
  private final Timer claim;
  private final DistributionSummary batch;
  private final Counter doorbellHits;
  private final Counter doorbellMisses;
  private final Counter unsettled;
  private final Counter replayed;
  private volatile Depth depth = Depth.UNKNOWN;
  private volatile @Nullable Surroundings surroundings;
  private volatile boolean deaf;
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
    unsettled =
        Counter.builder("outbox.repeats")
            .tag("cause", "unsettled")
            .description("Events that Kafka has and will get again: their settlement was lost")
            .register(meters);
    replayed =
        Counter.builder("outbox.repeats")
            .tag("cause", "replay")
            .description("Published events that an operator has sent again")
            .register(meters);
    registerGauges(meters);
  }

  private void registerGauges(MeterRegistry meters) {
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
    Gauge.builder("outbox.paused", this, m -> m.depth.pausedSince() == null ? 0 : 1)
        .description("Whether an operator has stopped all relays")
        .register(meters);
    Gauge.builder("outbox.replays", this, m -> m.depth.replays())
        .description("Replays under way")
        .register(meters);
    Gauge.builder("outbox.dead.tuples", this, m -> m.depth.deadRows())
        .description("Rows of published events that PostgreSQL has not cleaned yet")
        .register(meters);
    Gauge.builder("outbox.oldest.xmin.age", this, m -> m.around(Surroundings::oldestXminAge))
        .description("Transactions since the oldest one or the oldest snapshot began")
        .register(meters);
    Gauge.builder("outbox.archive.days.ahead", this, m -> m.around(Surroundings::archiveDaysAhead))
        .description("Days after today whose partition of the archive is made")
        .register(meters);
    Gauge.builder("outbox.doorbell.deaf", this, m -> m.deaf ? 1 : 0)
        .description("Whether the doorbell rings and is not heard")
        .register(meters);
  }

  private double around(ToDoubleFunction<Surroundings> figure) {
    Surroundings known = surroundings;
    return known == null ? Double.NaN : figure.applyAsDouble(known);
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

  /** Confirmed, and then not settled. */
  void unsettled(int events) {
    unsettled.increment(events);
  }

  void replayed(int events) {
    replayed.increment(events);
  }

  /** Returns whether that is news. */
  boolean doorbellHears(boolean heard) {
    boolean news = deaf == heard;
    deaf = !heard;
    return news;
  }

  boolean deaf() {
    return deaf;
  }

  void measured(Depth depth, Surroundings surroundings) {
    this.depth = depth;
    this.surroundings = surroundings;
  }

  @Nullable Surroundings surroundings() {
    return surroundings;
  }

  Depth depth() {
    return depth;
  }

  Duration sinceLastPublished() {
    return Duration.between(lastPublished, clock.instant());
  }
}
