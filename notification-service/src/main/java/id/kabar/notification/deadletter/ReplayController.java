package id.kabar.notification.deadletter;

import id.kabar.notification.deadletter.ReplayRequests.Discarded;
import id.kabar.notification.deadletter.ReplayRequests.Order;
import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.LetterFilter;
import id.kabar.notification.ledger.LetterState;
import id.kabar.notification.ledger.ReplayJob;
import id.kabar.notification.ledger.ReplayJobs;
import java.net.URI;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Many letters at once: replays as jobs, and discards. */
@RestController
@RequestMapping("/dead-letters")
class ReplayController {

  private static final int LARGEST_PAGE = 100;
  private static final int FASTEST = 500;

  private final ReplayRequests requests;
  private final ReplayJobs jobs;
  private final DeadLetterSettings settings;

  ReplayController(ReplayRequests requests, ReplayJobs jobs, DeadLetterSettings settings) {
    this.requests = requests;
    this.jobs = jobs;
    this.settings = settings;
  }

  /**
   * @param dryRun only to say what would happen
   */
  record ReplayMany(
      @Nullable Cause cause,
      @Nullable LetterState state,
      @Nullable UUID orderId,
      @Nullable Instant since,
      @Nullable Instant until,
      @Nullable List<Long> ids,
      @Nullable Integer limit,
      @Nullable Integer perSecond,
      @Nullable String reason,
      @Nullable Boolean dryRun) {

    LetterFilter filter() {
      return new LetterFilter(cause, state, orderId, since, until, ids);
    }
  }

  /** Answers at once; the job goes on by itself. */
  @PostMapping("/replay")
  ResponseEntity<ReplayView.Report> replay(@RequestBody ReplayMany request, Principal operator) {
    int perSecond = request.perSecond() == null ? settings.replaysPerSecond() : request.perSecond();
    Problems.within("perSecond", perSecond, FASTEST);
    String reason = request.reason() == null ? null : Problems.reason(request.reason(), "replay");
    Order order = order(request.filter(), request.limit(), operator, reason);
    if (Boolean.TRUE.equals(request.dryRun())) {
      return ResponseEntity.ok(requests.dryRun(order));
    }
    ReplayView.Report report = requests.replay(order, perSecond);
    return report.job() == null
        ? ResponseEntity.ok(report)
        : ResponseEntity.accepted()
            .location(URI.create("/dead-letters/jobs/" + report.job().id()))
            .body(report);
  }

  record DiscardMany(
      @Nullable Cause cause,
      @Nullable LetterState state,
      @Nullable UUID orderId,
      @Nullable Instant since,
      @Nullable Instant until,
      @Nullable List<Long> ids,
      @Nullable Integer limit,
      @Nullable String reason,
      @Nullable Boolean dryRun) {

    LetterFilter filter() {
      return new LetterFilter(cause, state, orderId, since, until, ids);
    }
  }

  @PostMapping("/discard")
  Discarded discard(@RequestBody DiscardMany request, Principal operator) {
    boolean dryRun = Boolean.TRUE.equals(request.dryRun());
    String reason = dryRun ? "" : Problems.reason(request.reason(), "discard");
    return requests.discard(
        order(request.filter(), request.limit(), operator, reason), reason, dryRun);
  }

  private Order order(
      LetterFilter filter, @Nullable Integer limit, Principal operator, @Nullable String reason) {
    if (filter.state() != null && filter.state() != LetterState.OPEN) {
      throw Problems.badRequest("state: only open letters can be replayed or discarded");
    }
    int most = limit == null ? settings.largestReplay() : limit;
    Problems.within("limit", most, settings.largestReplay());
    if (filter.ids() != null) {
      Problems.within("ids", filter.ids().size(), settings.largestReplay());
    }
    return new Order(filter, most, operator.getName(), reason);
  }

  @GetMapping("/jobs")
  ReplayView.Page jobs(
      @RequestParam @Nullable Long after, @RequestParam(defaultValue = "20") int limit) {
    Problems.within("limit", limit, LARGEST_PAGE);
    List<ReplayJob> found = jobs.list(after, limit);
    return new ReplayView.Page(
        found.stream().map(requests::view).toList(),
        found.size() < limit ? null : found.getLast().id());
  }

  @GetMapping("/jobs/{id}")
  ReplayView job(@PathVariable long id) {
    return requests.view(existing(id));
  }

  record Cancel(@Nullable String reason) {}

  @PostMapping("/jobs/{id}/cancel")
  ReplayView cancel(
      @PathVariable long id,
      @RequestBody(required = false) @Nullable Cancel request,
      Principal operator) {
    String reason =
        request == null || request.reason() == null
            ? null
            : Problems.reason(request.reason(), "cancel the replay of");
    if (!requests.cancel(existing(id), operator.getName(), reason)) {
      throw Problems.of(
          HttpStatus.CONFLICT, "replay-ended", "Replay %d has ended already.".formatted(id));
    }
    return requests.view(existing(id));
  }

  private ReplayJob existing(long id) {
    return jobs.find(id)
        .orElseThrow(() -> Problems.of(HttpStatus.NOT_FOUND, "no-such-replay", "No replay " + id));
  }
}
