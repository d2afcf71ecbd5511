package id.kabar.notification.deadletter;

import id.kabar.notification.deadletter.ReplayView.Report;
import id.kabar.notification.deadletter.ReplayView.Report.Refused;
import id.kabar.notification.ledger.AuditLine;
import id.kabar.notification.ledger.DeadLetters;
import id.kabar.notification.ledger.DeadLetters.Round;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.LetterFilter;
import id.kabar.notification.ledger.LetterState;
import id.kabar.notification.ledger.ReplayJob;
import id.kabar.notification.ledger.ReplayJobs;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** What people want done with many letters at once. */
@Component
class ReplayRequests {

  private static final Logger log = LoggerFactory.getLogger(ReplayRequests.class);

  /** Of what is refused, as many are told one by one; the rest is counted. */
  private static final int EXAMPLES = 100;

  private final DeadLetters letters;
  private final ReplayJobs jobs;
  private final ReplayRules rules;
  private final ReplayEngine engine;
  private final TransactionTemplate transaction;

  ReplayRequests(
      DeadLetters letters,
      ReplayJobs jobs,
      ReplayRules rules,
      ReplayEngine engine,
      TransactionTemplate transaction) {
    this.letters = letters;
    this.jobs = jobs;
    this.rules = rules;
    this.engine = engine;
    this.transaction = transaction;
  }

  /** Who wants what, and why. */
  record Order(LetterFilter filter, int limit, String operator, @Nullable String reason) {}

  /** Makes a job of the open letters that match, the oldest first. */
  Report replay(Order order, int perSecond) {
    Snapshot snapshot = snapshot(order);
    Set<Long> elsewhere = jobs.waiting(snapshot.ids());
    OptionalLong job = transaction.execute(status -> create(order, perSecond, snapshot.ids()));
    engine.wake();
    List<Refused> refused =
        elsewhere.stream().sorted().map(id -> refused(id, Refusal.BEING_REPLAYED)).toList();
    return new Report(
        false,
        snapshot.matched(),
        0,
        refused.stream().limit(EXAMPLES).toList(),
        counted(refused),
        snapshot.notLookedAt(),
        job.isPresent() ? view(jobs.find(job.getAsLong()).orElseThrow()) : null);
  }

  private OptionalLong create(Order order, int perSecond, List<Long> ids) {
    String filter = order.filter().inWords();
    OptionalLong job =
        jobs.create(
            new ReplayJob.Request(order.operator(), order.reason(), filter, perSecond), ids);
    job.ifPresent(
        id -> {
          int count = jobs.find(id).orElseThrow().progress().letters();
          letters.audit(
              AuditLine.ofMany(
                      order.operator(),
                      AuditLine.Action.REPLAY_FILTER,
                      filter,
                      count,
                      order.reason())
                  .of(id));
          log.info("{} replays {} dead letters, as replay {}", order.operator(), count, id);
        });
    return job;
  }

  /** Says what a replay would do. */
  Report dryRun(Order order) {
    Snapshot snapshot = snapshot(order);
    Set<Long> elsewhere = jobs.waiting(snapshot.ids());
    List<Refused> refused = new ArrayList<>();
    for (Letter letter : letters.all(snapshot.ids())) {
      if (elsewhere.contains(letter.id())) {
        refused.add(refused(letter.id(), Refusal.BEING_REPLAYED));
      } else {
        rules
            .refusal(letter, Round.REPLAY)
            .ifPresent(refusal -> refused.add(refused(letter.id(), refusal)));
      }
    }
    return new Report(
        true,
        snapshot.matched(),
        snapshot.ids().size() - refused.size(),
        refused.stream().limit(EXAMPLES).toList(),
        counted(refused),
        snapshot.notLookedAt(),
        null);
  }

  /** What became of a request to discard. */
  record Discarded(boolean dryRun, long matched, int discarded, long notLookedAt) {}

  /** Closes the open letters that match. */
  Discarded discard(Order order, String reason, boolean dryRun) {
    Snapshot snapshot = snapshot(order);
    if (dryRun) {
      return new Discarded(true, snapshot.matched(), snapshot.ids().size(), snapshot.notLookedAt());
    }
    int discarded =
        transaction.execute(
            status -> {
              int count = letters.discard(snapshot.ids(), order.operator(), reason);
              letters.audit(
                  AuditLine.ofMany(
                      order.operator(),
                      AuditLine.Action.DISCARD_FILTER,
                      order.filter().inWords(),
                      count,
                      reason));
              return count;
            });
    log.info("{} discarded {} dead letters", order.operator(), discarded);
    return new Discarded(false, snapshot.matched(), discarded, snapshot.notLookedAt());
  }

  /** Ends a job; what it has not come to stays where it is. False if it had ended. */
  boolean cancel(ReplayJob job, String operator, @Nullable String reason) {
    return transaction.execute(
        status -> {
          boolean cancelled = jobs.cancel(job.id(), operator);
          if (cancelled) {
            int left = jobs.find(job.id()).orElseThrow().progress().waiting();
            letters.audit(
                AuditLine.ofMany(
                        operator, AuditLine.Action.CANCEL, job.request().filter(), left, reason)
                    .of(job.id()));
          }
          return cancelled;
        });
  }

  ReplayView view(ReplayJob job) {
    return ReplayView.of(
        job,
        jobs.today(job.id()),
        jobs.refused(job.id(), EXAMPLES).stream()
            .map(each -> refused(each.letterId(), Refusal.valueOf(each.refusal())))
            .toList());
  }

  private record Snapshot(long matched, List<Long> ids) {
    long notLookedAt() {
      return Math.max(0, matched - ids.size());
    }
  }

  private Snapshot snapshot(Order order) {
    LetterFilter open = order.filter().in(LetterState.OPEN);
    return new Snapshot(letters.count(open), letters.openIds(open, order.limit()));
  }

  private static Refused refused(long id, Refusal refusal) {
    return new Refused(id, refusal, refusal.explanation());
  }

  private static Map<Refusal, Integer> counted(List<Refused> refused) {
    Map<Refusal, Integer> counts = new EnumMap<>(Refusal.class);
    refused.forEach(each -> counts.merge(each.reason(), 1, Integer::sum));
    return counts;
  }
}
