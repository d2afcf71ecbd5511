package id.kabar.relay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does a thing again and again on a thread of its own, so that no duty can hold up another. A
 * failure is news once, and never the end.
 */
final class Duty implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Duty.class);

  /** A seldom duty is not put off until its next turn when it fails. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  /** What is to be done. */
  interface Task {
    void run() throws Exception;
  }

  private final String name;
  private final Duration every;
  private final Task task;
  private final CountDownLatch stop = new CountDownLatch(1);
  private boolean failing;

  /**
   * @param name completes the sentence "Could not …"
   */
  Duty(String name, Duration every, Task task) {
    this.name = name;
    this.every = every;
    this.task = task;
  }

  @Override
  public void run() {
    try {
      do {
        attempt();
      } while (!stop.await(pause().toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration pause() {
    return failing && every.compareTo(RETRY) > 0 ? RETRY : every;
  }

  private void attempt() throws InterruptedException {
    try {
      task.run();
      failing = false;
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      if (!failing && stop.getCount() > 0) {
        log.warn("Could not {}, will try again: {}", name, e.getMessage());
      }
      failing = true;
    }
  }

  void start() {
    Thread.ofVirtual().name(name).start(this);
  }

  void stop() {
    stop.countDown();
  }
}
