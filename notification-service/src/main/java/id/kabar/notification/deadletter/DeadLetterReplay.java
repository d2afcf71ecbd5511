package id.kabar.notification.deadletter;

import id.kabar.notification.deadletter.SharedTrust.Level;
import id.kabar.notification.ledger.AuditLine;
import id.kabar.notification.ledger.DeadLetters;
import id.kabar.notification.ledger.DeadLetters.Round;
import id.kabar.notification.ledger.Letter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Sends a dead letter back to the topic it comes from, under its original key and event id. Sent
 * before marked: a crash in between replays it twice, and the second copy is skipped as a
 * duplicate; the other way round would lose it.
 */
@Component
class DeadLetterReplay {

  private final DeadLetters letters;
  private final ReplayTopic topic;
  private final ReplayRules rules;
  private final SharedTrust trust;
  private final DeadLetterSettings settings;
  private final TransactionTemplate transaction;
  private final MeterRegistry meters;

  DeadLetterReplay(
      DeadLetters letters,
      ReplayTopic topic,
      ReplayRules rules,
      SharedTrust trust,
      DeadLetterSettings settings,
      TransactionTemplate transaction,
      MeterRegistry meters) {
    this.letters = letters;
    this.topic = topic;
    this.rules = rules;
    this.trust = trust;
    this.settings = settings;
    this.transaction = transaction;
    this.meters = meters;
  }

  /**
   * Replays one letter for a person.
   *
   * @param forceReason why to overrule a cap or the provider's memory; null not to
   * @return why not, or nothing if it was replayed
   */
  Optional<Refusal> replay(long id, String operator, @Nullable String forceReason) {
    return transaction.execute(
        status -> {
          Optional<Refusal> refusal = replayLocked(id, Round.REPLAY, forceReason, true);
          if (refusal.isEmpty()) {
            letters.audit(AuditLine.of(operator, AuditLine.Action.REPLAY, id, forceReason));
          }
          return refusal;
        });
  }

  /**
   * Replays one letter of a job, in the job's transaction.
   *
   * @throws BrokerUnavailable if it is not known to be in the topic
   */
  Optional<Refusal> replay(long id, Round round) {
    return replayLocked(id, round, null, false);
  }

  private Optional<Refusal> replayLocked(
      long id, Round round, @Nullable String forceReason, boolean unlessSpared) {
    if (!letters.lock(id, settings.lease())) {
      return Optional.of(Refusal.BEING_REPLAYED);
    }
    Letter letter = letters.find(id).orElseThrow();
    Optional<Refusal> refusal = rules.refusal(letter, round);
    if (refusal.isPresent() && !(forceReason != null && refusal.get().yieldsToForce())) {
      if (refusal.get() == Refusal.ALREADY_SENT) {
        letters.resolve(id);
      }
      return refusal;
    }
    if (unlessSpared && trust.now() == Level.SPARED) {
      return Optional.of(Refusal.PROVIDER_SPARED);
    }
    if (rules.outcomeUnknownForTooLong(letter) && letter.eventId() != null) {
      letters.forgetUnknownAttempt(letter.eventId()); // forced, or we would not be here
    }
    topic.send(letter, letters.content(id));
    letters.replayed(id, round);
    meters
        .counter("notification.replayed", "round", round.name().toLowerCase(Locale.ROOT))
        .increment();
    return Optional.empty();
  }
}
