package id.kabar.notification.ledger;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What all instances know of the provider.
 *
 * @param throttled how much longer the provider asked to be left alone
 * @param trustedFor how long ago an instance found the provider back after an outage
 */
public record ProviderState(
    Manual manual,
    Instant manualSince,
    @Nullable String manualBy,
    @Nullable String manualReason,
    Duration throttled,
    @Nullable Duration trustedFor) {

  /** What an operator has ordered; it beats what the service would do by itself. */
  public enum Manual {
    /** Nothing: the service decides. */
    AUTOMATIC,
    /** Events wait, however long. */
    PAUSED,
    /** Events are sent whatever the circuit breaker says and the provider asked for. */
    FORCED
  }
}
