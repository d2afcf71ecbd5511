package id.kabar.notification;

import id.kabar.notification.Delivery.Duplicate;
import id.kabar.notification.Delivery.FailedForGood;
import id.kabar.notification.Delivery.FailedForNow;
import id.kabar.notification.Delivery.NotNow;
import id.kabar.notification.Delivery.Sent;
import id.kabar.notification.deadletter.Failure;
import id.kabar.notification.email.EmailFailure;
import id.kabar.notification.email.EmailOutcome;
import id.kabar.notification.email.EmailOutcome.Accepted;
import id.kabar.notification.email.EmailOutcome.NotSent;
import id.kabar.notification.email.EmailSettings;
import id.kabar.notification.email.Emails;
import id.kabar.notification.email.ProviderTrust;
import id.kabar.notification.event.OrderPaid;
import id.kabar.notification.ledger.AttemptFailure;
import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.Claim;
import id.kabar.notification.ledger.Claim.AlreadySent;
import id.kabar.notification.ledger.Claim.Claimed;
import id.kabar.notification.ledger.Claim.Held;
import id.kabar.notification.ledger.Claim.Spared;
import id.kabar.notification.ledger.FailedAttempts;
import id.kabar.notification.ledger.ProcessedEvents;
import id.kabar.notification.ledger.ProviderState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Delivers an event's email once: claim, call, finish. Between the statements no transaction is
 * open; whoever dies in between leaves a claim that expires, and the provider knows the key.
 */
@Component
class EmailDelivery {

  private static final Logger log = LoggerFactory.getLogger(EmailDelivery.class);

  private static final AttemptFailure GIVEN_UP =
      new AttemptFailure(
          Cause.PROVIDER_UNAVAILABLE,
          "not called: the provider was away for longer than events wait",
          null,
          false);

  private final ProcessedEvents events;
  private final Emails emails;
  private final ProviderTrust trust;
  private final EmailSettings settings;
  private final Counter sent;
  private final Counter duplicates;

  EmailDelivery(
      ProcessedEvents events,
      Emails emails,
      ProviderTrust trust,
      EmailSettings settings,
      MeterRegistry meters) {
    this.events = events;
    this.emails = emails;
    this.trust = trust;
    this.settings = settings;
    this.sent = meters.counter("notification.sent");
    this.duplicates = meters.counter("notification.duplicates");
  }

  /** Returns how long this delivery waits for its call; nothing if it has to come back for it. */
  Optional<Duration> untilTurn() {
    return emails.untilTurn();
  }

  /**
   * Delivers an event, or says why not.
   *
   * @param letter the dead letter this is a replay of, if it is one
   */
  Delivery deliver(OrderPaid paid, @Nullable String letter) {
    return claimed(
        paid,
        events.claim(paid.eventId(), paid.orderId(), settings.keyWindow()),
        claim -> send(paid, claim, letter));
  }

  /** Gives an event up because the provider is down, without asking it. */
  Delivery giveUp(OrderPaid paid) {
    return claimed(
        paid,
        events.claimToGiveUp(paid.eventId(), paid.orderId(), settings.keyWindow()),
        claim ->
            switch (failed(paid, claim, GIVEN_UP)) {
              case FailedForNow(Failure failure) -> new FailedForGood(failure);
              case Delivery other -> other;
            });
  }

  private Delivery claimed(OrderPaid paid, Claim answer, Function<Claimed, Delivery> next) {
    return switch (answer) {
      case Spared(ProviderState provider) -> {
        trust.learn(provider);
        yield new NotNow(Duration.ZERO);
      }
      case AlreadySent already -> {
        duplicates.increment();
        yield new Duplicate();
      }
      case Held held -> new NotNow(held.remaining());
      case Claimed claim when claim.keyWindowOver() -> neverRepeatedBlindly(paid, claim);
      case Claimed claim -> next.apply(claim);
    };
  }

  private Delivery send(OrderPaid paid, Claimed claim, @Nullable String letter) {
    EmailOutcome outcome;
    try {
      outcome = emails.send(paid);
    } catch (RuntimeException e) {
      log.error("Sending event {} failed unexpectedly", paid.eventId(), e);
      return failed(
          paid,
          claim,
          new AttemptFailure(Cause.UNEXPECTED, e.getClass().getSimpleName(), null, true));
    }
    return switch (outcome) {
      case Accepted(String messageId) -> finish(paid, claim, messageId, letter);
      case NotSent(EmailFailure.NotCalled spared, boolean unknown) -> {
        events.giveBack(claim);
        yield new NotNow(Duration.ZERO);
      }
      case NotSent(EmailFailure failure, boolean unknown) -> {
        Delivery failed =
            failed(
                paid,
                claim,
                new AttemptFailure(
                    causeOf(failure), failure.why(), failure.providerStatus(), unknown));
        // Put off by the provider, which is asked again when it wants to be. Forced calls do not
        // wait for that: uncounted, they would go on for ever.
        yield failure.postponed() && !trust.forced() ? new NotNow(Duration.ZERO) : failed;
      }
    };
  }

  private Delivery finish(
      OrderPaid paid, Claimed claim, String messageId, @Nullable String letter) {
    if (!events.finish(claim, messageId, letter)) {
      // The claim expired under us and somebody took over: his finish counts, the next look tells.
      log.warn("Finished event {} too late, somebody else has it", paid.eventId());
      return new NotNow(Duration.ZERO);
    }
    sent.increment();
    log.info(
        "Sent the email of event {}, order {}: message {}",
        paid.eventId(),
        paid.orderId(),
        messageId);
    return new Sent();
  }

  private Delivery neverRepeatedBlindly(OrderPaid paid, Claimed claim) {
    String detail =
        "an attempt at %s may have been accepted; the provider forgets keys after %s"
            .formatted(claim.unknownSince(), settings.keyWindow());
    return failed(paid, claim, new AttemptFailure(Cause.OUTCOME_UNKNOWN, detail, null, true));
  }

  private Delivery failed(OrderPaid paid, Claimed claim, AttemptFailure attempt) {
    FailedAttempts attempts = events.release(claim, attempt).orElse(null);
    if (attempts == null) {
      return new NotNow(Duration.ZERO);
    }
    Failure failure =
        new Failure(
            attempt.cause(),
            attempt.detail(),
            paid.eventId(),
            paid.orderId(),
            attempts.count(),
            attempts.firstFailedAt(),
            attempts.lastFailedAt());
    return switch (attempt.cause()) {
      case PROVIDER_UNAVAILABLE, UNEXPECTED -> new FailedForNow(failure);
      case POISON, REJECTED, CREDENTIALS_REFUSED, OUTCOME_UNKNOWN -> new FailedForGood(failure);
    };
  }

  private static Cause causeOf(EmailFailure failure) {
    return switch (failure) {
      case EmailFailure.Rejected rejected -> Cause.REJECTED;
      case EmailFailure.CredentialsRefused refused -> Cause.CREDENTIALS_REFUSED;
      case EmailFailure.Throttled throttled -> Cause.PROVIDER_UNAVAILABLE;
      case EmailFailure.KeyInFlight inFlight -> Cause.PROVIDER_UNAVAILABLE;
      case EmailFailure.Unavailable unavailable -> Cause.PROVIDER_UNAVAILABLE;
      case EmailFailure.NotCalled notCalled -> Cause.PROVIDER_UNAVAILABLE;
    };
  }
}
