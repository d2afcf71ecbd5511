package id.kabar.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the due events of a few buckets; the bucket locks are held until Kafka has confirmed
 * them.
 */
final class OutboxRelay {

  private static final Logger log = LoggerFactory.getLogger(OutboxRelay.class);

  private final Outbox outbox;
  private final Publisher publisher;
  private final Watermarks watermarks;
  private final Neighbour broker;
  private final RelayMetrics metrics;
  private final RelaySettings settings;
  private final BatchSize size;

  OutboxRelay(
      Outbox outbox,
      Publisher publisher,
      Watermarks watermarks,
      Neighbour broker,
      RelayMetrics metrics,
      RelaySettings settings) {
    this.outbox = outbox;
    this.publisher = publisher;
    this.watermarks = watermarks;
    this.broker = broker;
    this.metrics = metrics;
    this.settings = settings;
    this.size = new BatchSize(settings.batch(), settings.buckets());
  }

  /**
   * Sent before settled: a crash in between repeats the events, the other way round would lose
   * them.
   *
   * @throws SQLException when the session is of no more use; what was claimed is claimed again
   */
  Pace relayOnce() throws SQLException {
    long safe = watermarks.safePosition(); // before the events are read, see Watermarks
    Claim claim = claim();
    if (claim.isEmpty()) {
      outbox.rollback();
      return lookFurther(claim, safe) ? Pace.GO_ON : Pace.IDLE;
    }
    Verdicts verdicts = publish(claim);
    settleOrRepeat(verdicts);
    advance(claim, verdicts, safe);
    return pace(claim, verdicts);
  }

  private Claim claim() throws SQLException {
    long start = System.nanoTime();
    Claim claim =
        outbox.claim(
            watermarks.starts(),
            settings.buckets(),
            size.next(),
            settings.batch().bytes().toBytes());
    metrics.claimed(claim.events().size(), Duration.ofNanos(System.nanoTime() - start));
    size.learn(claim);
    return claim;
  }

  private Verdicts publish(Claim claim) {
    long start = System.nanoTime();
    Verdicts verdicts = publisher.publish(claim.events());
    metrics.sent(Duration.ofNanos(System.nanoTime() - start));
    return verdicts;
  }

  private void settleOrRepeat(Verdicts verdicts) throws SQLException {
    try {
      settle(verdicts);
    } catch (SQLException e) {
      metrics.unsettled(verdicts.confirmed().size());
      throw e;
    }
  }

  private void settle(Verdicts verdicts) throws SQLException {
    if (verdicts.isEmpty()) {
      outbox.rollback();
      return;
    }
    outbox.settle(verdicts.confirmed(), settings.archive().keepPayload());
    Set<UUID> parked = new HashSet<>(outbox.refuse(verdicts.refused(), settings.attempts()));
    outbox.commit();
    metrics.published(verdicts.confirmed().size());
    for (Verdicts.Refused refused : verdicts.refused()) {
      if (parked.contains(refused.event().id())) {
        log.warn("Parked {}: {}", refused.event(), refused.failure().reason());
      } else {
        log.info("Refused {}: {}", refused.event(), refused.failure().reason());
      }
    }
  }

  /** Nothing was due as far as these buckets were looked at; true when the rest comes next. */
  private boolean lookFurther(Claim claim, long safe) {
    boolean further = false;
    for (Map.Entry<Integer, Claim.Reach> bucket : claim.reaches().entrySet()) {
      further |= watermarks.advance(bucket.getKey(), bucket.getValue(), safe);
    }
    return further;
  }

  /** A watermark never passes an event of this round that stays, for whatever reason. */
  private void advance(Claim claim, Verdicts verdicts, long safe) {
    Set<Long> settled = HashSet.newHashSet(verdicts.confirmed().size());
    verdicts.confirmed().forEach(one -> settled.add(one.event().position()));
    Map<Integer, Long> staying = new HashMap<>();
    for (Event event : claim.events()) {
      if (!settled.contains(event.position())) {
        staying.merge(event.bucket(), event.position(), Math::min);
      }
    }
    claim
        .reaches()
        .forEach(
            (bucket, reach) ->
                watermarks.advance(
                    bucket, reach.butBefore(staying.getOrDefault(bucket, Long.MAX_VALUE)), safe));
  }

  private Pace pace(Claim claim, Verdicts verdicts) {
    Failure trouble = verdicts.trouble();
    if (trouble != null && trouble.fate() == Failure.Fate.OUTAGE) {
      broker.silent(trouble.reason());
      return Pace.BACK_OFF;
    }
    if (trouble != null && verdicts.isEmpty()) {
      return Pace.BACK_OFF;
    }
    broker.answered();
    return claim.full() || trouble != null ? Pace.GO_ON : Pace.CAUGHT_UP;
  }
}
