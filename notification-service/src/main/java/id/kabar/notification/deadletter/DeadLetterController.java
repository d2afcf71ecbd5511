package id.kabar.notification.deadletter;

import id.kabar.notification.ledger.AuditLine;
import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.DeadLetters;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.LetterFilter;
import id.kabar.notification.ledger.LetterState;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The operators' view of the dead letters: look, count, replay, discard. */
@RestController
@RequestMapping("/dead-letters")
class DeadLetterController {

  private static final int LARGEST_PAGE = 500;
  private static final int LONGEST_REASON = 500;

  private final DeadLetters letters;
  private final DeadLetterReplay replay;
  private final LetterContent contents;
  private final TransactionTemplate transaction;

  DeadLetterController(
      DeadLetters letters,
      DeadLetterReplay replay,
      LetterContent contents,
      TransactionTemplate transaction) {
    this.letters = letters;
    this.replay = replay;
    this.contents = contents;
    this.transaction = transaction;
  }

  @GetMapping
  LetterView.Page list(
      @RequestParam @Nullable Cause cause,
      @RequestParam @Nullable LetterState state,
      @RequestParam @Nullable UUID orderId,
      @RequestParam @Nullable Instant since,
      @RequestParam @Nullable Instant until,
      @RequestParam @Nullable Long after,
      @RequestParam(defaultValue = "50") int limit) {
    within("limit", limit, LARGEST_PAGE);
    List<Letter> found =
        letters.list(new LetterFilter(cause, state, orderId, since, until), after, limit);
    return new LetterView.Page(
        found.stream().map(LetterView::of).toList(),
        found.size() < limit ? null : found.getLast().id());
  }

  @GetMapping("/causes")
  Map<Cause, Map<LetterState, Long>> causes() {
    return letters.causes();
  }

  @GetMapping("/{id}")
  LetterView.Whole show(
      @PathVariable long id,
      @RequestParam(defaultValue = "false") boolean full,
      Principal operator) {
    Letter letter = existing(id);
    if (full) {
      letters.audit(AuditLine.of(operator.getName(), AuditLine.Action.SHOW, id, null));
    }
    Letter.Content content = letters.content(id);
    return new LetterView.Whole(
        LetterView.of(letter),
        full ? contents.whole(content) : contents.masked(content),
        content.payload() == null ? 0 : content.payload().length,
        full ? contents.headers(content) : null,
        letters.history(id).stream().map(LetterView.Act::of).toList());
  }

  /**
   * @param force overrules the cap on replays and an unknown outcome past the provider's memory
   */
  record ReplayOne(@Nullable Boolean force, @Nullable String reason) {}

  @PostMapping("/{id}/replay")
  LetterView replay(
      @PathVariable long id,
      @RequestBody(required = false) @Nullable ReplayOne request,
      Principal operator) {
    existing(id);
    String forceReason =
        request != null && Boolean.TRUE.equals(request.force())
            ? reason(request.reason(), "force")
            : null;
    Optional<Refusal> refusal = replay.replay(id, operator.getName(), forceReason);
    if (refusal.isPresent()) {
      throw refused(refusal.get());
    }
    return LetterView.of(existing(id));
  }

  record ReplayMany(
      @Nullable Cause cause,
      @Nullable LetterState state,
      @Nullable UUID orderId,
      @Nullable Instant since,
      @Nullable Instant until,
      @Nullable Integer limit,
      @Nullable Boolean dryRun) {}

  @PostMapping("/replay")
  DeadLetterReplay.Report replay(@RequestBody ReplayMany request, Principal operator) {
    if (request.state() != null && request.state() != LetterState.OPEN) {
      throw badRequest("state: only open letters can be replayed");
    }
    int limit = request.limit() == null ? LARGEST_PAGE : request.limit();
    within("limit", limit, LARGEST_PAGE);
    return replay.replay(
        new LetterFilter(
            request.cause(), request.state(), request.orderId(), request.since(), request.until()),
        limit,
        Boolean.TRUE.equals(request.dryRun()),
        operator.getName());
  }

  record Discard(@Nullable String reason) {}

  @PostMapping("/{id}/discard")
  LetterView discard(@PathVariable long id, @RequestBody Discard request, Principal operator) {
    existing(id);
    String reason = reason(request.reason(), "discard");
    transaction.executeWithoutResult(
        status -> {
          if (!letters.lock(id)) {
            throw refused(Refusal.BEING_REPLAYED);
          }
          if (existing(id).state() != LetterState.OPEN) {
            throw refused(Refusal.NOT_OPEN);
          }
          letters.discard(id);
          letters.audit(AuditLine.of(operator.getName(), AuditLine.Action.DISCARD, id, reason));
        });
    return LetterView.of(existing(id));
  }

  private Letter existing(long id) {
    return letters
        .find(id)
        .orElseThrow(() -> Problems.of(HttpStatus.NOT_FOUND, "no-such-letter", "No letter " + id));
  }

  private static String reason(@Nullable String reason, String act) {
    if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON) {
      throw badRequest(
          "reason: to %s a letter give a reason of at most %d characters"
              .formatted(act, LONGEST_REASON));
    }
    return reason.replaceAll("\\p{Cntrl}", " ").strip();
  }

  private static void within(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw badRequest("%s: between 1 and %d".formatted(name, most));
    }
  }

  private static ErrorResponseException badRequest(String detail) {
    return Problems.of(HttpStatus.BAD_REQUEST, "bad-request", detail);
  }

  private static ErrorResponseException refused(Refusal refusal) {
    return Problems.of(
        HttpStatus.CONFLICT,
        "replay-" + refusal.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        refusal.explanation());
  }
}
