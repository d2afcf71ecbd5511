package id.kabar.notification.email;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failed call; its type already knows its fate. */
public sealed interface EmailFailure {

  /** This message will never be accepted. */
  record Rejected(int status) implements EmailFailure {
    @Override
    public String why() {
      return "rejected with " + status;
    }

    @Override
    public Integer providerStatus() {
      return status;
    }
  }

  /** Nobody's message will be accepted until somebody mends the credentials. */
  record CredentialsRefused(int status) implements EmailFailure {
    @Override
    public String why() {
      return "credentials refused with " + status;
    }

    @Override
    public Integer providerStatus() {
      return status;
    }

    @Override
    public boolean countsForBreaker() {
      return true;
    }
  }

  /** Too many calls for now. */
  record Throttled(int status, @Nullable Duration retryAfter) implements EmailFailure {
    @Override
    public String why() {
      return retryAfter == null
          ? "throttled with " + status
          : "throttled with %d for %d s".formatted(status, retryAfter.toSeconds());
    }

    @Override
    public Integer providerStatus() {
      return status;
    }

    /** Whether the provider said when to come back. */
    boolean asksForAPause() {
      return !pause().isZero();
    }

    Duration pause() {
      return retryAfter == null ? Duration.ZERO : retryAfter;
    }

    @Override
    public boolean postponed() {
      return asksForAPause();
    }

    /** A wait the provider asks for is longer than the pauses between two calls. */
    @Override
    public boolean worthAnotherCall() {
      return !asksForAPause();
    }

    /** Who says when to come back is not down. */
    @Override
    public boolean countsForBreaker() {
      return !asksForAPause();
    }
  }

  /** Another call under the same key is still running: somebody's, who was given up for dead. */
  record KeyInFlight() implements EmailFailure {
    @Override
    public String why() {
      return "the same key is in flight";
    }

    @Override
    public Integer providerStatus() {
      return 409;
    }

    @Override
    public boolean outcomeUnknown() {
      return true;
    }
  }

  /** Nobody's message is accepted for now, as far as one call can tell. */
  record Unavailable(String why, boolean outcomeUnknown, @Nullable Integer providerStatus)
      implements EmailFailure {

    /** Without an answer. */
    Unavailable(String why, boolean outcomeUnknown) {
      this(why, outcomeUnknown, null);
    }

    /** A gateway's 502 or 504 often hides an accepted message; so may any other. */
    static Unavailable answered(int status) {
      return new Unavailable("answered with " + status, true, status);
    }

    @Override
    public boolean worthAnotherCall() {
      return true;
    }

    @Override
    public boolean countsForBreaker() {
      return true;
    }
  }

  /** The provider was spared the call: the breaker is open, or it asked for a pause. */
  record NotCalled(String why) implements EmailFailure {
    @Override
    public boolean postponed() {
      return true;
    }
  }

  /** In words for logs and dead letters; never an address, never what the provider wrote. */
  String why();

  /** What the provider answered; null if it did not, or was not asked. */
  default @Nullable Integer providerStatus() {
    return null;
  }

  /** Whether the provider may have accepted the message all the same. */
  default boolean outcomeUnknown() {
    return false;
  }

  /** Whether the delivery was put off by the provider's state, and is no failure of its own. */
  default boolean postponed() {
    return false;
  }

  /** Whether to call again at once, within this delivery. */
  default boolean worthAnotherCall() {
    return false;
  }

  /** Whether it says something about the provider, not only about this message. */
  default boolean countsForBreaker() {
    return false;
  }
}
