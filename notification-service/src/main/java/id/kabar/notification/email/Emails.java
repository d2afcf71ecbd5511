package id.kabar.notification.email;

import id.kabar.notification.email.EmailOutcome.Accepted;
import id.kabar.notification.email.EmailOutcome.NotSent;
import id.kabar.notification.event.OrderPaid;
import id.kabar.notification.ledger.ProviderStates;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Sends the email of a paid order: a few calls around a circuit breaker, all under the event's id
 * as the idempotency key, so that the provider delivers once however often it is asked.
 */
@Component
public class Emails {

  /** A record that was let through waits no longer for its call. */
  public static final Duration LONGEST_TURN = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(Emails.class);

  private final PaymentEmails paymentEmails;
  private final EmailProvider provider;
  private final ProviderTrust trust;
  private final ProviderStates providers;
  private final Retry retry;
  private final CircuitBreaker breaker;
  private final EmailSettings settings;
  private final MeterRegistry meters;

  Emails(
      PaymentEmails paymentEmails,
      EmailProvider provider,
      ProviderTrust trust,
      ProviderStates providers,
      RetryRegistry retries,
      CircuitBreakerRegistry breakers,
      EmailSettings settings,
      MeterRegistry meters) {
    this.paymentEmails = paymentEmails;
    this.provider = provider;
    this.trust = trust;
    this.providers = providers;
    this.retry = retries.retry("email");
    this.breaker = breakers.circuitBreaker("email");
    this.settings = settings;
    this.meters = meters;
  }

  /**
   * Takes the next place in the line of all instances' calls.
   *
   * @return how long until it comes: zero if calls are not limited; nothing if there is no place
   *     near enough, because all instances together have more in flight than the limit allows
   */
  public Optional<Duration> untilTurn() {
    return settings.limited()
        ? providers.nextCall(settings.betweenCalls(), LONGEST_TURN)
        : Optional.of(Duration.ZERO);
  }

  /** Calls the provider until it has an answer worth keeping; takes a bounded time, always. */
  public EmailOutcome send(OrderPaid paid) {
    Email email = paymentEmails.of(paid);
    Timer.Sample started = Timer.start(meters);
    EmailOutcome outcome = send(() -> provider.post(paid.eventId(), email));
    started.stop(meters.timer("notification.email", "outcome", nameOf(outcome)));
    return outcome;
  }

  private EmailOutcome send(Supplier<Accepted> call) {
    Calls calls = new Calls();
    Supplier<Accepted> remembered = () -> remember(calls, call);
    Supplier<Accepted> guarded =
        trust.forced() ? remembered : CircuitBreaker.decorateSupplier(breaker, remembered);
    try {
      Accepted accepted = Retry.decorateSupplier(retry, () -> unlessThrottled(guarded)).get();
      if (trust.accepted()) {
        tellTheOthers(ProviderStates::trusted);
      }
      return accepted;
    } catch (EmailNotSent e) {
      return calls.outcome(e.failure());
    } catch (CallNotPermittedException e) {
      return calls.outcome(new EmailFailure.NotCalled("the circuit breaker is open"));
    }
  }

  private Accepted unlessThrottled(Supplier<Accepted> call) {
    if (trust.throttled()) {
      throw new EmailNotSent(new EmailFailure.NotCalled("the provider asked for a pause"));
    }
    return call.get();
  }

  private Accepted remember(Calls calls, Supplier<Accepted> call) {
    if (calls.any() && settings.limited()) {
      // a delivery must not wait with its claim running out: those after it wait for this call
      providers.callAtOnce(settings.betweenCalls());
    }
    try {
      return call.get();
    } catch (EmailNotSent e) {
      calls.failed(e.failure());
      if (e.failure() instanceof EmailFailure.Throttled throttled && throttled.asksForAPause()) {
        trust.throttledFor(throttled.pause());
        tellTheOthers(all -> all.throttle(throttled.pause()));
      }
      throw e;
    }
  }

  /** This instance knows already; should the others not hear it, they will find out themselves. */
  private void tellTheOthers(Consumer<ProviderStates> news) {
    try {
      news.accept(providers);
    } catch (DataAccessException e) {
      log.warn(
          "The other instances do not hear how the provider is: {}", e.getClass().getSimpleName());
    }
  }

  /** What the calls of one delivery came to. */
  private static final class Calls {

    private @Nullable EmailFailure last;
    private boolean outcomeUnknown;

    boolean any() {
      return last != null;
    }

    void failed(EmailFailure failure) {
      last = failure;
      outcomeUnknown |= failure.outcomeUnknown();
    }

    /**
     * One call that may have been accepted outweighs all clear refusals after it; that a further
     * call was spared says less than how the one before it ended.
     */
    NotSent outcome(EmailFailure failure) {
      EmailFailure told =
          failure instanceof EmailFailure.NotCalled && last != null ? last : failure;
      return new NotSent(told, outcomeUnknown);
    }
  }

  private static String nameOf(EmailOutcome outcome) {
    return switch (outcome) {
      case Accepted accepted -> "accepted";
      case NotSent(EmailFailure failure, boolean unknown) ->
          failure.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    };
  }
}
