package id.kabar.notification.email;

import id.kabar.notification.email.Trust.Gate;
import id.kabar.notification.email.Trust.Reason;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Knows whether the provider may be called: from the circuit breaker, and from the pauses the
 * provider asked for. One outage lasts from its first sign until a call is accepted, however often
 * the breaker tries in between.
 */
@Component
public class ProviderTrust {

  private static final Logger log = LoggerFactory.getLogger(ProviderTrust.class);

  private final CircuitBreaker breaker;
  private final Hold hold;
  private final Clock clock;
  private final ApplicationEventPublisher news;
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private @Nullable Instant outageSince;
  private Instant throttledUntil = Instant.MIN;

  ProviderTrust(
      CircuitBreakerRegistry breakers,
      AdmissionSettings settings,
      Clock clock,
      ApplicationEventPublisher news) {
    this.breaker = breakers.circuitBreaker("email");
    this.hold = settings.outage().hold();
    this.clock = clock;
    this.news = news;
    breaker
        .getEventPublisher()
        .onStateTransition(transition -> breakerIsNow(transition.getStateTransition().getToState()))
        .onReset(reset -> breakerIsNow(CircuitBreaker.State.CLOSED));
  }

  /** Tells a watcher of every change but the passing of time; it must return at once. */
  public void onChange(Runnable watcher) {
    watchers.add(watcher);
  }

  /** What may be asked of the provider at this moment. */
  public synchronized Trust now() {
    Instant now = clock.instant();
    Gate gate = gate(now);
    if (gate == Gate.OPEN) {
      return Trust.FULL;
    }
    Instant since = outageSince == null ? now : outageSince;
    return new Trust(
        gate,
        hold.isOver(Duration.between(since, now)),
        now.isBefore(throttledUntil) ? Reason.THROTTLED : Reason.OUTAGE,
        since);
  }

  synchronized boolean throttled() {
    return clock.instant().isBefore(throttledUntil);
  }

  private Gate gate(Instant now) {
    if (now.isBefore(throttledUntil)) {
      return Gate.SHUT;
    }
    return switch (breaker.getState()) {
      case OPEN, FORCED_OPEN -> Gate.SHUT;
      case HALF_OPEN -> Gate.PROBE;
      // after a pause the provider asked for, the first call tells whether it is over
      case CLOSED, DISABLED, METRICS_ONLY -> outageSince == null ? Gate.OPEN : Gate.PROBE;
    };
  }

  /** The provider asked to be left alone for so long. */
  void throttledFor(Duration wait) {
    synchronized (this) {
      Instant until = clock.instant().plus(wait);
      if (until.isAfter(throttledUntil)) {
        throttledUntil = until;
      }
      beginOutage();
    }
    changed();
  }

  /** The provider accepted a message. */
  void accepted() {
    if (breaker.getState() == CircuitBreaker.State.CLOSED) {
      endOutage();
    }
  }

  private void breakerIsNow(CircuitBreaker.State state) {
    switch (state) {
      case OPEN, FORCED_OPEN -> {
        beginOutage();
        changed();
      }
      case CLOSED -> {
        endOutage();
        changed();
      }
      default -> changed();
    }
  }

  private synchronized void beginOutage() {
    if (outageSince == null) {
      outageSince = clock.instant();
      log.warn("The provider is not called any more; events wait, at most {}", hold);
    }
  }

  private void endOutage() {
    Instant since;
    synchronized (this) {
      since = outageSince;
      if (since == null || clock.instant().isBefore(throttledUntil)) {
        return;
      }
      outageSince = null;
      log.info("The provider is trusted again, after {}", Duration.between(since, clock.instant()));
    }
    changed();
    news.publishEvent(new ProviderTrusted(since));
  }

  private void changed() {
    watchers.forEach(Runnable::run);
  }
}
