package id.kabar.notification.deadletter;

import id.kabar.notification.ledger.LetterState;
import id.kabar.notification.ledger.ReplayJob;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replay job as operators see it.
 *
 * @param waiting letters it has not come to
 * @param waitsFor what keeps it from going on
 * @param today what became of the replayed ones, by their state of now
 * @param refusals the first of the refused ones
 */
record ReplayView(
    long id,
    ReplayJob.Kind kind,
    ReplayJob.Request request,
    ReplayJob.State state,
    int letters,
    int replayed,
    int refused,
    int waiting,
    @Nullable String waitsFor,
    Instant createdAt,
    @Nullable Instant endedAt,
    @Nullable String endedBy,
    Map<LetterState, Long> today,
    List<Report.Refused> refusals) {

  static ReplayView of(ReplayJob job, Map<LetterState, Long> today, List<Report.Refused> refusals) {
    return new ReplayView(
        job.id(),
        job.kind(),
        job.request(),
        job.state(),
        job.progress().letters(),
        job.progress().replayed(),
        job.progress().refused(),
        job.progress().waiting(),
        job.waitsFor(),
        job.createdAt(),
        job.endedAt(),
        job.endedBy(),
        today,
        refusals);
  }

  /** One page; the next one starts after {@code next}, if there is any. */
  record Page(List<ReplayView> jobs, @Nullable Long next) {}

  /**
   * What becomes of a request to replay.
   *
   * @param matched open letters
   * @param replayed so far; in a dry run: as many would be
   * @param refused the first of those that are not
   * @param refusals how many are not, by reason
   * @param notLookedAt letters beyond the limit
   * @param job that does it; null if there is nothing to do, and in a dry run
   */
  record Report(
      boolean dryRun,
      long matched,
      int replayed,
      List<Refused> refused,
      Map<Refusal, Integer> refusals,
      long notLookedAt,
      @Nullable ReplayView job) {

    /** A letter that is left where it is. */
    record Refused(long id, Refusal reason, String explanation) {}
  }
}
