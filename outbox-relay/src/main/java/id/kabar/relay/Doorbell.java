package id.kabar.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the writers' bell on a session of its own. It only saves waiting: whatever happens
 * here, the workers look by themselves as well.
 */
final class Doorbell implements Runnable {

  /** Opens a line; again after each time one was lost. */
  interface Lines {
    DoorbellLine open() throws SQLException;
  }

  private static final Logger log = LoggerFactory.getLogger(Doorbell.class);
  private static final Duration LISTEN_FOR = Duration.ofSeconds(1);
  private static final int SILENCE_CHECK = 30;

  private final Lines lines;
  private final Bell bell;
  private final Backoff reconnect;
  private final CountDownLatch stop = new CountDownLatch(1);

  Doorbell(Lines lines, Bell bell, Backoff reconnect) {
    this.lines = lines;
    this.bell = bell;
    this.reconnect = reconnect;
  }

  @Override
  public void run() {
    try {
      while (stop.getCount() > 0) {
        listen();
        if (stop.await(reconnect.next().toNanos(), TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen() {
    try (DoorbellLine line = lines.open()) {
      line.listen();
      reconnect.reset();
      bell.ringFromOutside(); // what was committed while nobody listened
      int silent = 0;
      while (stop.getCount() > 0) {
        if (line.rung(LISTEN_FOR)) {
          silent = 0;
          bell.ringFromOutside();
        } else if (++silent % SILENCE_CHECK == 0) {
          line.checkAlive();
        }
      }
    } catch (SQLException e) {
      log.debug("The doorbell is out of order, the workers look by themselves: {}", e.getMessage());
    }
  }

  void stop() {
    stop.countDown();
  }
}
