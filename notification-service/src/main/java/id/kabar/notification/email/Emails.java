package id.kabar.notification.email;

import id.kabar.notification.email.EmailOutcome.Accepted;
import id.kabar.notification.email.EmailOutcome.NotSent;
import id.kabar.notification.event.OrderPaid;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Sends the email of a paid order: a few calls around a circuit breaker, all under the event's id
 * as the idempotency key, so that the provider delivers once however often it is asked.
 */
@Component
public class Emails {

  private final PaymentEmails paymentEmails;
  private final EmailProvider provider;
  private final Throttle throttle;
  private final Retry retry;
  private final CircuitBreaker breaker;
  private final MeterRegistry meters;

  Emails(
      PaymentEmails paymentEmails,
      EmailProvider provider,
      Throttle throttle,
      RetryRegistry retries,
      CircuitBreakerRegistry breakers,
      MeterRegistry meters) {
    this.paymentEmails = paymentEmails;
    this.provider = provider;
    this.throttle = throttle;
    this.retry = retries.retry("email");
    this.breaker = breakers.circuitBreaker("email");
    this.meters = meters;
  }

  /** Calls the provider until it has an answer worth keeping; takes a bounded time, always. */
  public EmailOutcome send(OrderPaid paid) {
    Email email = paymentEmails.of(paid);
    Timer.Sample started = Timer.start(meters);
    EmailOutcome outcome = send(() -> provider.post(paid.eventId(), email));
    started.stop(meters.timer("notification.email", "outcome", nameOf(outcome)));
    return outcome;
  }

  /** Whether a call would be made now, or spared because the provider needs a rest. */
  public boolean wouldCall() {
    return breaker.getState() != State.OPEN
        && breaker.getState() != State.FORCED_OPEN
        && !throttle.holds();
  }

  private EmailOutcome send(Supplier<Accepted> call) {
    // one call that may have been accepted outweighs all clear refusals after it
    AtomicBoolean unknown = new AtomicBoolean();
    Supplier<Accepted> remembered = () -> remember(unknown, call);
    Supplier<Accepted> guarded = CircuitBreaker.decorateSupplier(breaker, remembered);
    try {
      return Retry.decorateSupplier(retry, () -> unlessThrottled(guarded)).get();
    } catch (EmailNotSent e) {
      return new NotSent(e.failure(), unknown.get());
    } catch (CallNotPermittedException e) {
      return new NotSent(new EmailFailure.NotCalled("the circuit breaker is open"), unknown.get());
    }
  }

  private Accepted unlessThrottled(Supplier<Accepted> call) {
    if (throttle.holds()) {
      throw new EmailNotSent(new EmailFailure.NotCalled("the provider asked for a pause"));
    }
    return call.get();
  }

  private Accepted remember(AtomicBoolean unknown, Supplier<Accepted> call) {
    try {
      return call.get();
    } catch (EmailNotSent e) {
      if (e.failure().outcomeUnknown()) {
        unknown.set(true);
      }
      if (e.failure() instanceof EmailFailure.Throttled(int status, var wait) && wait != null) {
        throttle.holdFor(wait);
      }
      throw e;
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
