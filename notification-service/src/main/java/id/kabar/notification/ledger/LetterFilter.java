package id.kabar.notification.ledger;

import java.time.Instant;
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
    @Nullable Instant until) {

  /** The same letters, as far as they are in this state. */
  public LetterFilter in(LetterState only) {
    return new LetterFilter(cause, only, orderId, since, until);
  }
}
