package id.kabar.notification.ledger;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The answer to "may I send this event's email?". */
public sealed interface Claim {

  /**
   * Yes, until the claim expires.
   *
   * @param owner this very claim; only it may finish or release what it claimed
   * @param unknownSince the earliest attempt before this one whose outcome nobody knows
   * @param keyWindowOver whether the provider may have forgotten that attempt's key
   */
  record Claimed(
      UUID eventId, String owner, @Nullable OffsetDateTime unknownSince, boolean keyWindowOver)
      implements Claim {}

  /** Not now: nobody may call the provider. */
  record Spared(ProviderState provider) implements Claim {}

  /** No need to: it was sent. */
  record AlreadySent() implements Claim {}

  /** Not now: somebody else is at it, for at most this long. */
  record Held(Duration remaining) implements Claim {}
}
