package id.kabar.notification.email;

import id.kabar.notification.email.Trust.Gate;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/**
 * Lets records through to the provider: so many at once, one at a time while it is being found out
 * whether the provider is back, and none while it is avoided. After an outage it begins with one
 * and lets one more in for each that was accepted.
 */
@Component
public final class Admission {

  /** Nobody tells that a hold is over or that a pause has ended: look at the clock so often. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ProviderTrust trust;
  private final Hold hold;
  private final int most;
  private int ramp;
  private int calling;
  private int givingUp;

  public Admission(ProviderTrust trust, AdmissionSettings settings) {
    this.trust = trust;
    this.hold = settings.outage().hold();
    this.most = settings.inFlight();
    this.ramp = most;
    trust.onChange(this::recheck);
  }

  /** What a record may do. */
  public enum Pass {
    /** Call the provider; then {@link Admission#leave}. */
    CALL,
    /** Be dead-lettered without a call; then {@link Admission#leave}. */
    GIVE_UP,
    /** Nothing: it is no longer wanted. */
    GONE
  }

  /** How long one record has waited in pauses; it has one for its life. */
  public static final class Patience {
    private Duration paused = Duration.ZERO;
  }

  /**
   * Waits until a record may do something, by and large in the order of arrival.
   *
   * @param stillWanted asked again whenever {@link #recheck()} is called
   */
  public Pass enter(Patience patience, BooleanSupplier stillWanted) {
    lock.lock();
    try {
      while (stillWanted.getAsBoolean()) {
        Trust now = trust.now();
        if (mayCall(now.gate())) {
          calling++;
          return Pass.CALL;
        }
        if (givesUp(now, patience) && givingUp < most) {
          givingUp++;
          return Pass.GIVE_UP;
        }
        waitFor(now, patience);
      }
      changed.signal(); // the call that woke us may have been meant for one who still wants it
      return Pass.GONE;
    } finally {
      lock.unlock();
    }
  }

  private boolean mayCall(Gate gate) {
    if (gate != Gate.OPEN) {
      ramp = 1;
    }
    return switch (gate) {
      case OPEN -> calling < ramp;
      case PROBE -> calling == 0;
      case SHUT -> false;
    };
  }

  private boolean givesUp(Trust now, Patience patience) {
    // while somebody finds out, the answer is worth the seconds it takes
    return now.gate() == Gate.SHUT
        && now.reason() != Trust.Reason.MANUAL
        && (now.givingUp() || hold.isOver(patience.paused));
  }

  @SuppressWarnings("WaitNotInLoop") // the loop is in enter
  private void waitFor(Trust now, Patience patience) {
    if (now.gate() == Gate.OPEN) {
      changed.awaitUninterruptibly();
      return;
    }
    long started = System.nanoTime();
    try {
      changed.awaitNanos(LOOK_EVERY.toNanos());
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts a delivery", e);
    }
    if (now.reason() != Trust.Reason.MANUAL) { // an operator may hold events as long as he likes
      patience.paused = patience.paused.plusNanos(System.nanoTime() - started);
    }
  }

  /**
   * Ends what {@link #enter} allowed.
   *
   * @param accepted whether the provider took a message
   */
  public void leave(Pass pass, boolean accepted) {
    lock.lock();
    try {
      switch (pass) {
        case CALL -> {
          calling--;
          if (accepted && ramp < most) {
            ramp++;
            changed.signal();
          }
        }
        case GIVE_UP -> givingUp--;
        case GONE -> {}
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Makes everybody who waits look again. */
  public void recheck() {
    lock.lock();
    try {
      if (trust.now().gate() != Gate.OPEN) {
        ramp = 1;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
