package id.kabar.notification.deadletter;

import id.kabar.notification.ledger.Attempts;
import id.kabar.notification.ledger.AuditLine;
import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.DeadLetters;
import id.kabar.notification.ledger.DeadLetters.Round;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.LetterFilter;
import id.kabar.notification.ledger.LetterState;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** One letter at a time: look, count, replay, discard. Many at once are another matter. */
@RestController
@RequestMapping("/dead-letters")
class DeadLetterController {

  private static final int LARGEST_PAGE = 500;

  private final DeadLetters letters;
  private final DeadLetterReplay replay;
  private final ReplayRules rules;
  private final Attempts attempts;
  private final LetterContent contents;
  private final DeadLetterSettings settings;
  private final TransactionTemplate transaction;

  DeadLetterController(
      DeadLetters letters,
      DeadLetterReplay replay,
      ReplayRules rules,
      Attempts attempts,
      LetterContent contents,
      DeadLetterSettings settings,
      TransactionTemplate transaction) {
    this.letters = letters;
    this.replay = replay;
    this.rules = rules;
    this.attempts = attempts;
    this.contents = contents;
    this.settings = settings;
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
    Problems.within("limit", limit, LARGEST_PAGE);
    List<Letter> found =
        letters.list(new LetterFilter(cause, state, orderId, since, until), after, limit);
    return new LetterView.Page(
        found.stream().map(this::view).toList(),
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
        view(letter),
        full ? contents.whole(content) : contents.masked(content),
        content.payload() == null ? 0 : content.payload().length,
        full ? contents.headers(content) : null,
        attempts.of(id).stream().map(LetterView.Try::of).toList(),
        letters.history(id).stream().map(LetterView.Act::of).toList(),
        rules.refusal(letter, Round.REPLAY).map(LetterView.Obstacle::of).orElse(null));
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
            ? Problems.reason(request.reason(), "force")
            : null;
    Optional<Refusal> refusal = replay.replay(id, operator.getName(), forceReason);
    if (refusal.isPresent()) {
      throw Problems.refused(refusal.get());
    }
    return view(existing(id));
  }

  record Discard(@Nullable String reason) {}

  @PostMapping("/{id}/discard")
  LetterView discard(@PathVariable long id, @RequestBody Discard request, Principal operator) {
    existing(id);
    String reason = Problems.reason(request.reason(), "discard");
    transaction.executeWithoutResult(
        status -> {
          if (!letters.lock(id, settings.lease())) {
            throw Problems.refused(Refusal.BEING_REPLAYED);
          }
          switch (existing(id).state()) {
            case OPEN -> letters.discard(id);
            case REPLAYED -> throw Problems.refused(Refusal.ON_ITS_WAY);
            case RESOLVED, DISCARDED -> throw Problems.refused(Refusal.NOT_OPEN);
          }
          letters.audit(AuditLine.of(operator.getName(), AuditLine.Action.DISCARD, id, reason));
        });
    return view(existing(id));
  }

  private Letter existing(long id) {
    return letters
        .find(id)
        .orElseThrow(() -> Problems.of(HttpStatus.NOT_FOUND, "no-such-letter", "No letter " + id));
  }

  private LetterView view(Letter letter) {
    return LetterView.of(letter, rules.isQuarantined(letter), rules.redrivesItself(letter));
  }
}
