package id.kabar.relay;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits that double from the first to the longest, and start over when told that all is well. */
final class Backoff {

  private final Duration first;
  private final Duration longest;
  private final double jitter;
  private final RandomGenerator random;
  private Duration next;

  private Backoff(Duration first, Duration longest, double jitter, RandomGenerator random) {
    this.first = first;
    this.longest = longest;
    this.jitter = jitter;
    this.random = random;
    this.next = first;
  }

  /** For a server that does not answer; spread, so that many relays do not call in step. */
  static Backoff jittered(Duration first, Duration longest, RandomGenerator random) {
    return new Backoff(first, longest, 0.5, random);
  }

  static Backoff exact(Duration first, Duration longest) {
    return new Backoff(first, longest, 0, RandomGenerator.getDefault());
  }

  Duration next() {
    Duration wait = next;
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(longest) > 0 ? longest : doubled;
    if (jitter == 0) {
      return wait;
    }
    return Duration.ofNanos((long) (wait.toNanos() * (1 - jitter * random.nextDouble())));
  }

  void reset() {
    next = first;
  }
}
