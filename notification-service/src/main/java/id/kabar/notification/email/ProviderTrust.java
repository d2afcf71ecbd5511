package id.kabar.notification.email;

import id.kabar.notification.email.Trust.Gate;
import id.kabar.notification.email.Trust.Reason;
import id.kabar.notification.ledger.ProviderState;
import id.kabar.notification.ledger.ProviderState.Manual;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.StateTransition;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Knows whether the provider may be called: from the circuit breaker, from the pauses the provider
 * asked for, be it of another instance, and from what an operator ordered, which beats both. One
 * outage lasts from its first sign until a call is accepted, however often the breaker tries in
 * between.
 */
@Component
public final class ProviderTrust {

  private static final Logger log = LoggerFactory.getLogger(ProviderTrust.class);

  private static final Duration HEARSAY = Duration.ofMillis(500);

  /** Who has an event to find out with has found out by then. */
  private static final Duration LONGEST_PROBE = Duration.ofSeconds(15);

  /** A provider that is heard of so long after a pause was well in between. */
  private static final Duration OUTAGE_FORGOTTEN = Duration.ofMinutes(1);

  private final CircuitBreaker breaker;
  private final Hold hold;
  private final Clock clock;
  private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private @Nullable Instant outageSince;
  private Instant probingSince = Instant.MIN;
  private Instant throttledUntil = Instant.MIN;
  private Manual manual = Manual.AUTOMATIC;
  private Instant manualSince = Instant.MIN;

  public ProviderTrust(CircuitBreakerRegistry breakers, AdmissionSettings settings, Clock clock) {
    this.breaker = breakers.circuitBreaker("email");
    this.hold = settings.outage().hold();
    this.clock = clock;
    breaker
        .getEventPublisher()
        .onStateTransition(transition -> breakerWent(transition.getStateTransition()))
        .onReset(reset -> endOutage());
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
  public synchronized boolean forced() {
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
    if (state.trustedFor() != null && othersFoundItBack(state.trustedFor())) {
      breaker.transitionToClosedState();
      endOutage();
    }
    if (state.throttled().isPositive()) {
      throttledFor(state.throttled());
    }
    if (news) {
      changed();
    }
  }

  /** Nobody here has an event to find out with, for instance because the partitions went away. */
  private synchronized boolean othersFoundItBack(Duration ago) {
    Instant now = clock.instant();
    return breaker.getState() == CircuitBreaker.State.HALF_OPEN
        && outageSince != null
        && now.minus(ago).isAfter(outageSince)
        && now.isAfter(probingSince.plus(LONGEST_PROBE));
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
      case CLOSED, DISABLED, METRICS_ONLY -> Gate.OPEN;
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
      if (clock.instant().isAfter(throttledUntil.plus(OUTAGE_FORGOTTEN))
          && breaker.getState() == CircuitBreaker.State.CLOSED) {
        outageSince = null;
      }
      throttledUntil = until;
      beginOutage();
    }
    changed();
  }

  /**
   * The provider accepted a message.
   *
   * @return whether that ended an outage
   */
  boolean accepted() {
    return breaker.getState() == CircuitBreaker.State.CLOSED && endOutage();
  }

  private void breakerWent(StateTransition transition) {
    switch (transition.getToState()) {
      case OPEN, FORCED_OPEN -> {
        if (transition.getFromState() == CircuitBreaker.State.CLOSED) {
          forgetOutage(); // the provider was up in between, even if it accepted nothing
        }
        beginOutage();
        changed();
      }
      case HALF_OPEN -> {
        synchronized (this) {
          probingSince = clock.instant();
        }
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

  private synchronized void forgetOutage() {
    outageSince = null;
  }

  private boolean endOutage() {
    synchronized (this) {
      Instant since = outageSince;
      if (since == null || clock.instant().isBefore(throttledUntil)) {
        return false;
      }
      outageSince = null;
      log.info("The provider is trusted again, after {}", Duration.between(since, clock.instant()));
    }
    changed();
    return true;
  }

  private void changed() {
    watchers.forEach(Runnable::run);
  }
}
