package id.kabar.notification.deadletter;

import id.kabar.notification.email.EmailSettings;
import id.kabar.notification.email.Emails;
import id.kabar.notification.event.TopicSettings;
import id.kabar.notification.ledger.AuditLine;
import id.kabar.notification.ledger.DeadLetters;
import id.kabar.notification.ledger.LedgerSettings;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.LetterFilter;
import id.kabar.notification.ledger.LetterState;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Sends dead letters back to the topic they come from, under their original key and event id. Sent
 * before marked: a crash in between replays twice, and the second copy is skipped as a duplicate;
 * the other way round would lose one.
 */
@Component
class DeadLetterReplay {

  private static final Logger log = LoggerFactory.getLogger(DeadLetterReplay.class);

  private final DeadLetters letters;
  private final ReplayTopic topic;
  private final TransactionTemplate transaction;
  private final DeadLetterSettings settings;
  private final TopicSettings topics;
  private final Emails emails;
  private final Duration safelyKnown;
  private final RateLimiter pace;

  DeadLetterReplay(
      DeadLetters letters,
      ReplayTopic topic,
      TransactionTemplate transaction,
      DeadLetterSettings settings,
      TopicSettings topics,
      Emails emails,
      EmailSettings email,
      LedgerSettings ledger) {
    this.letters = letters;
    this.topic = topic;
    this.transaction = transaction;
    this.settings = settings;
    this.topics = topics;
    this.emails = emails;
    this.safelyKnown = email.keyWindow().minus(ledger.claimLifetime());
    this.pace =
        RateLimiter.of(
            "replay",
            RateLimiterConfig.custom()
                .limitForPeriod(settings.replaysPerSecond())
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .timeoutDuration(Duration.ofSeconds(5))
                .build());
  }

  /** What became of a replay by filter. */
  record Report(
      boolean dryRun, long matched, int replayed, List<Refused> refused, long notLookedAt) {

    /** A letter that was left where it is. */
    record Refused(long id, Refusal reason, String explanation) {}
  }

  /**
   * Replays one letter.
   *
   * @param forceReason why to overrule a cap or the provider's memory; null not to
   * @return why not, or nothing if it was replayed
   */
  Optional<Refusal> replay(long id, String operator, @Nullable String forceReason) {
    return transaction.execute(
        status -> {
          Optional<Refusal> refusal = replayLocked(id, forceReason);
          if (refusal.isEmpty()) {
            letters.audit(AuditLine.of(operator, AuditLine.Action.REPLAY, id, forceReason));
          }
          return refusal;
        });
  }

  /**
   * Replays the open letters that match, the oldest first; a dry run only says what would happen.
   */
  Report replay(LetterFilter filter, int limit, boolean dryRun, String operator) {
    long matched = letters.count(filter.in(LetterState.OPEN));
    List<Long> ids = letters.openIds(filter, Math.min(limit, settings.largestReplay()));
    int replayed = 0;
    List<Report.Refused> refused = new ArrayList<>();
    try {
      for (long id : ids) {
        Optional<Refusal> refusal = dryRun ? wouldRefuse(id) : replayAtPace(id);
        refusal.ifPresent(why -> refused.add(new Report.Refused(id, why, why.explanation())));
        replayed += refusal.isPresent() ? 0 : 1;
      }
    } finally {
      // also if the broker went away half-way: what was sent is on the record
      if (!dryRun) {
        letters.audit(
            new AuditLine(
                null,
                operator,
                AuditLine.Action.REPLAY_FILTER,
                null,
                filter.toString(),
                replayed,
                null));
        log.info("{} replayed {} dead letters, {} refused", operator, replayed, refused.size());
      }
    }
    return new Report(dryRun, matched, replayed, refused, matched - ids.size());
  }

  private Optional<Refusal> replayAtPace(long id) {
    RateLimiter.waitForPermission(pace);
    return transaction.execute(status -> replayLocked(id, null));
  }

  private Optional<Refusal> wouldRefuse(long id) {
    return letters.find(id).flatMap(this::refusal);
  }

  private Optional<Refusal> replayLocked(long id, @Nullable String forceReason) {
    if (!letters.lock(id)) {
      return Optional.of(Refusal.BEING_REPLAYED);
    }
    Letter letter = letters.find(id).orElseThrow();
    Optional<Refusal> refusal = refusal(letter);
    if (refusal.isPresent() && !(forceReason != null && refusal.get().yieldsToForce())) {
      if (refusal.get() == Refusal.ALREADY_SENT) {
        letters.resolve(id);
      }
      return refusal;
    }
    if (outcomeUnknownForTooLong(letter) && letter.eventId() != null) {
      letters.forgetUnknownAttempt(letter.eventId()); // forced, or we would not be here
    }
    topic.send(letter, letters.content(id));
    letters.replayed(id);
    return Optional.empty();
  }

  private Optional<Refusal> refusal(Letter letter) {
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
    if (letter.replays() >= settings.maxReplays()) {
      return Optional.of(Refusal.TOO_MANY_REPLAYS);
    }
    if (!emails.wouldCall()) {
      return Optional.of(Refusal.PROVIDER_SPARED);
    }
    return Optional.empty();
  }

  private boolean outcomeUnknownForTooLong(Letter letter) {
    return letter.unknownFor() != null && letter.unknownFor().compareTo(safelyKnown) >= 0;
  }
}
