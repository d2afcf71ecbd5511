package id.kabar.relay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a server answers and, if not, since when and why; the log hears of it once a change. */
final class Neighbour {

  private static final Logger log = LoggerFactory.getLogger(Neighbour.class);

  /** A time without answers. */
  record Silence(Instant since, String reason) {}

  private final String name;
  private final Clock clock;
  private volatile @Nullable Silence silence;
  private Instant lastSilent = Instant.MIN;

  Neighbour(String name, Clock clock) {
    this.name = name;
    this.clock = clock;
  }

  void answered() {
    if (silence == null) {
      return;
    }
    synchronized (this) {
      Silence past = silence;
      if (past != null) {
        silence = null;
        log.info(
            "{} answers again after {} s",
            name,
            Duration.between(past.since(), clock.instant()).toSeconds());
      }
    }
  }

  synchronized void silent(String reason) {
    Silence known = silence;
    lastSilent = clock.instant();
    silence = new Silence(known == null ? clock.instant() : known.since(), reason);
    if (known == null) {
      log.warn("{} does not answer; trying again until it does: {}", name, reason);
    }
  }

  /** Whether nobody has missed an answer for so long, though none may have asked either. */
  synchronized boolean notMissedFor(Duration length) {
    return lastSilent.isBefore(clock.instant().minus(length));
  }

  @Nullable Silence silence() {
    return silence;
  }
}
