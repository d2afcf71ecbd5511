package id.kabar.relay;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Each ring wakes one waiting worker; a ring that finds none waiting is kept for the next. */
final class Bell {

  private final Semaphore rings = new Semaphore(0);
  private final AtomicBoolean doorbell = new AtomicBoolean();

  /** A worker has more than it can do. */
  void ring() {
    if (rings.availablePermits() == 0) {
      rings.release();
    }
  }

  /** A writer has committed events. */
  void ringFromOutside() {
    doorbell.set(true);
    ring();
  }

  /** One worker more has to wake, whether or not another ring is still unheard. */
  void ringOut() {
    rings.release();
  }

  /** Waits for a ring, but not longer; false when there was none. */
  boolean await(Duration longest) throws InterruptedException {
    if (rings.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS)) {
      return true;
    }
    doorbell.set(false);
    return false;
  }

  /** Whether a writer rang since somebody last asked. */
  boolean wasDoorbell() {
    return doorbell.getAndSet(false);
  }
}
