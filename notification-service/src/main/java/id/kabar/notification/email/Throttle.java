package id.kabar.notification.email;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.stereotype.Component;

/** Keeps this instance from calling while the provider has asked for a pause. */
@Component
class Throttle {

  private final Clock clock;
  private final AtomicReference<Instant> until = new AtomicReference<>(Instant.MIN);

  Throttle(Clock clock) {
    this.clock = clock;
  }

  void holdFor(Duration wait) {
    Instant asked = clock.instant().plus(wait);
    until.accumulateAndGet(asked, (a, b) -> a.isAfter(b) ? a : b);
  }

  boolean holds() {
    return clock.instant().isBefore(until.get());
  }
}
