package id.kabar.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Relays round after round at the pace each round returns, and outlives every failure. */
final class Worker implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  private static final int PATIENCE_WITH_RINGS = 4;
  private static final int LONGEST_DELAY_DOUBLINGS = 5; // 32 ms

  /** Opens a session; again after each time one was lost. */
  interface Sessions {
    Outbox open() throws SQLException;
  }

  /** Puts a relay onto a session. */
  interface Relays {
    OutboxRelay on(Outbox outbox);
  }

  private final Sessions sessions;
  private final Relays relays;
  private final Publisher publisher;
  private final Topics topics;
  private final Watermarks watermarks;
  private final Neighbour database;
  private final Bell bell;
  private final RelayMetrics metrics;
  private final Backoff poll;
  private final Backoff outage;
  private final Supplier<Duration> longestWait;
  private final CountDownLatch stop = new CountDownLatch(1);
  private boolean rung;
  private int vainRings;
  private volatile @Nullable Outbox session;
  private @Nullable OutboxRelay relay;

  /**
   * @param longestWait between two rounds, whatever the poll says
   */
  Worker(
      Sessions sessions,
      Relays relays,
      Publisher publisher,
      Topics topics,
      Watermarks watermarks,
      Neighbour database,
      Bell bell,
      RelayMetrics metrics,
      Backoff poll,
      Supplier<Duration> longestWait,
      Backoff outage) {
    this.sessions = sessions;
    this.relays = relays;
    this.publisher = publisher;
    this.topics = topics;
    this.watermarks = watermarks;
    this.database = database;
    this.bell = bell;
    this.metrics = metrics;
    this.poll = poll;
    this.longestWait = longestWait;
    this.outage = outage;
  }

  @Override
  public void run() {
    try {
      while (stop.getCount() > 0) {
        keep(round());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      publisher.close();
      closeSession();
    }
  }

  /** No lock is taken while the broker is known to be away. */
  private Pace round() {
    try {
      if (!topics.reachable() && !topics.refresh()) {
        return Pace.BACK_OFF;
      }
      Pace pace = relay().relayOnce();
      database.answered();
      if (pace == Pace.BACK_OFF) {
        topics.doubt();
      }
      return pace;
    } catch (Outbox.SettlementMismatch e) {
      log.error("Rolled back, the events will be sent again: {}", e.getMessage());
      closeSession();
      return Pace.BACK_OFF;
    } catch (SQLException e) {
      sessionLost(e);
      return Pace.BACK_OFF;
    } catch (Throwable e) { // a worker that dies would be missed by nobody
      log.error("Round failed; a new session will try again", e);
      closeSession();
      return Pace.BACK_OFF;
    }
  }

  private void keep(Pace pace) throws InterruptedException {
    switch (pace) {
      case GO_ON -> {
        foundWork();
        bell.ring();
      }
      case CAUGHT_UP -> {
        foundWork();
        listen();
      }
      case IDLE -> {
        outage.reset();
        leaveItToOthers();
        listen();
      }
      case BACK_OFF -> pause(outage.next());
    }
  }

  private void listen() throws InterruptedException {
    Duration longest = longestWait.get();
    Duration wait = poll.next();
    rung = bell.await(wait.compareTo(longest) < 0 ? wait : longest);
  }

  /**
   * Every ring is heard by every relay. Whoever came for nothing several times in a row, because
   * others were there first, hurries less; it is still there within moments should they fail.
   */
  private void leaveItToOthers() throws InterruptedException {
    if (!rung) {
      return;
    }
    vainRings++;
    if (vainRings > PATIENCE_WITH_RINGS) {
      int doublings = Math.min(vainRings - PATIENCE_WITH_RINGS, LONGEST_DELAY_DOUBLINGS);
      pause(Duration.ofMillis(1L << doublings));
    }
  }

  private boolean pause(Duration length) throws InterruptedException {
    return stop.await(length.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void foundWork() {
    metrics.foundWork(bell.wasDoorbell());
    vainRings = 0;
    poll.reset();
    outage.reset();
  }

  private OutboxRelay relay() throws SQLException {
    OutboxRelay current = relay;
    if (current == null) {
      Outbox opened = sessions.open();
      session = opened;
      current = relays.on(opened);
      relay = current;
    }
    return current;
  }

  private void sessionLost(SQLException e) {
    closeSession();
    watermarks.forget();
    if (stop.getCount() > 0) {
      database.silent(
          switch (String.valueOf(e.getSQLState())) {
            case "42P01" ->
                "the outbox tables are not there yet; order-service's migration makes them";
            case "42703", "42883" ->
                "the outbox tables are older than this relay; order-service's migration brings them"
                    + " up to date";
            default -> String.valueOf(e.getMessage());
          });
    }
  }

  private void closeSession() {
    Outbox lost = session;
    session = null;
    relay = null;
    if (lost != null) {
      try {
        lost.close();
      } catch (SQLException e) {
        log.debug("A lost session could not be closed", e);
      }
    }
  }

  /** Asks for no further round. */
  void stop() {
    stop.countDown();
    bell.ringOut();
  }

  /** Ends the round under way: what is not confirmed by now will be sent again by somebody else. */
  void giveUp() {
    publisher.giveUp();
  }

  /** Ends the session under way, for a database that does not answer. */
  void abandon() {
    Outbox current = session;
    if (current != null) {
      try {
        current.abort();
      } catch (SQLException e) {
        log.debug("The session could not be aborted", e);
      }
    }
  }
}
