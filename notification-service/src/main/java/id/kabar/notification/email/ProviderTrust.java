package id.kabar.notification.email;

import id.kabar.notification.email.Trust.Gate;
import id.kabar.notification.email.Trust.Reason;
import id.kabar.notification.ledger.ProviderState;
import id.kabar.notification.ledger.ProviderState.Manual;
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
 * Knows whether the provider may be called: from the circuit breaker, from the pauses the provider
 * asked for, be it of another instance, and from what an operator ordered, which beats both. One
 * outage lasts from its first sign until a call is accepted, however often the breaker tries in
 * between.
 */
@Component
public class ProviderTrust {

  private static final Logger log = LoggerFactory.getLogger(ProviderTrust.class);

  private static final Duration HEARSAY = Duration.ofMillis(500);

  private final CircuitBreaker breaker;
  private final Hold hold;
  private final Clock clock;
  private final ApplicationEventPublisher news;
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private @Nullable Instant outageSince;
  private Instant throttledUntil = Instant.MIN;
  private Manual manual = Manual.AUTOMATIC;
  private Instant manualSince = Instant.MIN;

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
    if (manual == Manual.PAUSED) {
      return new Trust(Gate.SHUT, false, Reason.MANUAL, manualSince);
    }
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
    return manual != Manual.FORCED && clock.instant().isBefore(throttledUntil);
  }

  /** Whether an operator wants calls whatever the circuit breaker says. */
  synchronized boolean forced() {
    return manual == Manual.FORCED;
  }

  /** Takes in what all instances know. */
  public void learn(ProviderState state) {
    boolean news;
    synchronized (this) {
      news = manual != state.manual() || !manualSince.equals(state.manualSince());
      if (news) {
        learnOrder(state);
      }
    }
    if (state.throttled().isPositive()) {
      throttledFor(state.throttled());
    } else if (news) {
      changed();
    }
  }

  private void learnOrder(ProviderState state) {
    if (state.manual() != manual) {
      log.warn("The provider is {} by order of {}", state.manual(), state.manualBy());
    }
    if (manual == Manual.PAUSED && outageSince != null) {
      outageSince = clock.instant(); // what an operator held up does not count
    }
    manual = state.manual();
    manualSince = state.manualSince();
  }

  private Gate gate(Instant now) {
    if (manual == Manual.FORCED) {
      return Gate.OPEN;
    }
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
      // who hears the same from the database hears it a moment later
      if (!until.isAfter(throttledUntil.plus(HEARSAY))) {
        return;
      }
      throttledUntil = until;
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
