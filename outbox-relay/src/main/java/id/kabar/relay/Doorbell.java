package id.kabar.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the writers' bell on a session of its own. It only saves waiting: whatever happens
 * here, the workers look by themselves as well.
 *
 * <p>A silent bell may mean that nobody rings, or that nobody is heard: behind a proxy that pools
 * transactions, LISTEN succeeds and delivers nothing. So the doorbell rings itself now and then, on
 * a channel of its own and through another connection. While it does not hear itself it is deaf: it
 * says so, the workers look more often, and it listens anew until it hears again.
 */
final class Doorbell implements Runnable {

  static final String CHANNEL = "outbox";

  private static final Logger log = LoggerFactory.getLogger(Doorbell.class);
  private static final Duration LISTEN_FOR = Duration.ofSeconds(1);

  /** What is heard. */
  record Ring(String channel, String word) {}

  /** A session to listen on. */
  interface Line extends AutoCloseable {

    void listen(String channel) throws SQLException;

    /** Returns what rings first, or nothing after so long. */
    List<Ring> hear(Duration longest) throws SQLException;

    @Override
    void close() throws SQLException;
  }

  /** Opens a line; again after each time one was lost. */
  interface Lines {
    Line open() throws SQLException;
  }

  /** Rings through another connection than the line's. */
  interface Ringer {
    void ring(String channel, String word) throws SQLException;
  }

  private final Lines lines;
  private final Ringer ringer;
  private final Bell bell;
  private final RelayMetrics metrics;
  private final RelaySettings.Doorbell settings;
  private final Backoff reconnect;
  private final Supplier<String> words;
  private final LongSupplier nanoTime;
  private final String ownChannel;
  private final CountDownLatch stop = new CountDownLatch(1);

  // The listening thread's own.
  private @Nullable String expected;
  private long askedAt;
  private boolean tested;

  /**
   * @param words differ from each other, and from those of other relays
   * @param nanoTime a monotonic clock, as {@link System#nanoTime()}
   */
  Doorbell(
      Lines lines,
      Ringer ringer,
      Bell bell,
      RelayMetrics metrics,
      RelaySettings.Doorbell settings,
      Backoff reconnect,
      Supplier<String> words,
      LongSupplier nanoTime) {
    this.lines = lines;
    this.ringer = ringer;
    this.bell = bell;
    this.metrics = metrics;
    this.settings = settings;
    this.reconnect = reconnect;
    this.words = words;
    this.nanoTime = nanoTime;
    this.ownChannel = CHANNEL + "_" + words.get();
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
    expected = null;
    tested = false;
    try (Line line = lines.open()) {
      line.listen(CHANNEL);
      line.listen(ownChannel);
      bell.ringFromOutside(); // what was committed while nobody listened
      while (stop.getCount() > 0) {
        ringMyself();
        line.hear(LISTEN_FOR).forEach(this::hear);
        if (deaf()) {
          return;
        }
      }
    } catch (SQLException e) {
      log.debug("The doorbell is out of order, the workers look by themselves: {}", e.getMessage());
    }
  }

  private void hear(Ring ring) {
    if (ring.channel().equals(CHANNEL)) {
      bell.ringFromOutside();
    } else if (ring.word().equals(expected)) {
      expected = null;
      reconnect.reset();
      if (metrics.doorbellHears(true)) {
        log.info("The doorbell hears itself again");
      }
    }
  }

  private void ringMyself() {
    long now = nanoTime.getAsLong();
    if (expected != null || (tested && now - askedAt < settings.test().toNanos())) {
      return;
    }
    String word = words.get();
    try {
      ringer.ring(ownChannel, word);
      expected = word;
    } catch (SQLException e) {
      log.debug("The doorbell could not ring itself, which says nothing: {}", e.getMessage());
    }
    askedAt = now;
    tested = true;
  }

  private boolean deaf() {
    if (expected == null || nanoTime.getAsLong() - askedAt < settings.patience().toNanos()) {
      return false;
    }
    if (metrics.doorbellHears(false)) {
      log.warn(
          "The doorbell does not hear itself within {} ms: the workers look more often until it"
              + " does. A proxy that pools transactions cannot deliver notifications: let the relay"
              + " connect past it, or set relay.doorbell.enabled to false",
          settings.patience().toMillis());
    }
    return true;
  }

  void stop() {
    stop.countDown();
  }
}
