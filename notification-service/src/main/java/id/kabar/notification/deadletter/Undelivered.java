package id.kabar.notification.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * What a listener throws. There is one type per fate and no other: the error handler counts
 * redeliveries by type, so different reasons do not reset each other's count, while a failure for
 * good ends the redeliveries at once.
 */
public abstract sealed class Undelivered extends RuntimeException {

  private final transient Failure failure;

  private Undelivered(Failure failure, @Nullable Throwable cause) {
    super(failure.cause() + ": " + failure.detail(), cause);
    this.failure = failure;
  }

  public Failure failure() {
    return failure;
  }

  /** Another delivery may succeed. */
  public static final class ForNow extends Undelivered {
    public ForNow(Failure failure) {
      super(failure, null);
    }

    public ForNow(Failure failure, Throwable cause) {
      super(failure, cause);
    }
  }

  /** No other delivery will. */
  public static final class ForGood extends Undelivered {
    public ForGood(Failure failure) {
      super(failure, null);
    }
  }

  /** Finds what a listener threw in what its container makes of it. */
  public static @Nullable Undelivered in(@Nullable Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof Undelivered undelivered) {
        return undelivered;
      }
    }
    return null;
  }
}
