package id.kabar.notification.email;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the provider may be asked for right now.
 *
 * @param givingUp whether the hold is over: while the gate is shut, records are dead-lettered
 * @param reason why not everybody may call; null if everybody may
 * @param since when that began
 */
public record Trust(Gate gate, boolean givingUp, @Nullable Reason reason, @Nullable Instant since) {

  static final Trust FULL = new Trust(Gate.OPEN, false, null, null);

  /** Who may call. */
  public enum Gate {
    /** Everybody, within the limits. */
    OPEN,
    /** One record at a time, to find out. */
    PROBE,
    /** Nobody. */
    SHUT
  }

  /** Why not everybody may call. */
  public enum Reason {
    /** The provider fails: the circuit breaker is open. */
    OUTAGE,
    /** The provider asked for a pause. */
    THROTTLED,
    /** An operator said so. */
    MANUAL
  }

  /** Whether records wait, and stay in Kafka. */
  public boolean paused() {
    return gate != Gate.OPEN && !givingUp;
  }
}
