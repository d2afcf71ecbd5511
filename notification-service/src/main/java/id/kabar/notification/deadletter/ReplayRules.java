package id.kabar.notification.deadletter;

import id.kabar.notification.email.EmailSettings;
import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.DeadLetters.Round;
import id.kabar.notification.ledger.LedgerSettings;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.LetterState;
import id.kabar.notification.ledger.ReplayJobs.Stranded;
import java.time.Duration;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Which letters may be sent again. */
@Component
class ReplayRules {

  private final DeadLetterSettings settings;
  private final RedriveSettings redrive;
  private final TopicSettings topics;
  private final Duration safelyKnown;

  ReplayRules(
      DeadLetterSettings settings,
      RedriveSettings redrive,
      TopicSettings topics,
      EmailSettings email,
      LedgerSettings ledger) {
    this.settings = settings;
    this.redrive = redrive;
    this.topics = topics;
    this.safelyKnown = email.keyWindow().minus(ledger.claimLifetime());
  }

  /** Returns why not, as far as the letter itself is concerned; nothing if it may. */
  Optional<Refusal> refusal(Letter letter, Round round) {
    if (letter.state() == LetterState.REPLAYED) {
      return Optional.of(letter.eventSent() ? Refusal.ALREADY_SENT : Refusal.ON_ITS_WAY);
    }
    if (letter.state() != LetterState.OPEN) {
      return Optional.of(Refusal.NOT_OPEN);
    }
    if (letter.eventSent()) {
      return Optional.of(Refusal.ALREADY_SENT);
    }
    if (letter.origin() == null || !letter.origin().topic().equals(topics.orderPaid())) {
      return Optional.of(Refusal.ORIGIN_UNKNOWN);
    }
    if (outcomeUnknownForTooLong(letter)) {
      return Optional.of(Refusal.OUTCOME_UNKNOWN);
    }
    if (round == Round.REPLAY && letter.replays() >= settings.maxReplays()) {
      return Optional.of(Refusal.TOO_MANY_REPLAYS);
    }
    return Optional.empty();
  }

  /** Whether the provider may have forgotten the key of an attempt that it may have accepted. */
  boolean outcomeUnknownForTooLong(Letter letter) {
    return letter.unknownFor() != null && letter.unknownFor().compareTo(safelyKnown) >= 0;
  }

  /** Whether nothing sends it again but a person who insists. */
  boolean isQuarantined(Letter letter) {
    return letter.state() == LetterState.OPEN && letter.replays() >= settings.maxReplays();
  }

  /** Whether it will be sent again without anybody doing anything. */
  boolean redrivesItself(Letter letter) {
    return redrive.enabled()
        && letter.cause() == Cause.PROVIDER_UNAVAILABLE
        && letter.redrives() < redrive.rounds()
        && refusal(letter, Round.REDRIVE).isEmpty();
  }

  Stranded stranded() {
    return new Stranded(
        topics.orderPaid(),
        redrive.rounds(),
        redrive.pause(),
        redrive.longestPause(),
        safelyKnown,
        redrive.batch());
  }
}
