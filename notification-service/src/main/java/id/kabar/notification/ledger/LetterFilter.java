package id.kabar.notification.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which letters; what is absent does not restrict.
 *
 * @param since the last failure was then or later
 * @param until the last failure was before then
 */
public record LetterFilter(
    @Nullable Cause cause,
    @Nullable LetterState state,
    @Nullable UUID orderId,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable List<Long> ids) {

  private static final int IDS_IN_WORDS = 20;

  /** Letters nobody has picked by hand. */
  public LetterFilter(
      @Nullable Cause cause,
      @Nullable LetterState state,
      @Nullable UUID orderId,
      @Nullable Instant since,
      @Nullable Instant until) {
    this(cause, state, orderId, since, until, null);
  }

  /** The same letters, as far as they are in this state. */
  public LetterFilter in(LetterState only) {
    return new LetterFilter(cause, only, orderId, since, until, ids);
  }

  /** As people would say it. */
  public String inWords() {
    List<String> words = new ArrayList<>();
    add(words, "state", state);
    add(words, "cause", cause);
    add(words, "order", orderId);
    add(words, "since", since);
    add(words, "until", until);
    if (ids != null) {
      words.add(
          ids.size() == 1
              ? "letter " + ids.getFirst()
              : ids.size() <= IDS_IN_WORDS
                  ? "letters " + ids
                  : "%d letters from %d to %d"
                      .formatted(ids.size(), ids.getFirst(), ids.getLast()));
    }
    return words.isEmpty() ? "all letters" : String.join(", ", words);
  }

  private static void add(List<String> words, String name, @Nullable Object value) {
    if (value != null) {
      words.add(name + " " + value);
    }
  }
}
