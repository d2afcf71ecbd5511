package id.kabar.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Relays round after round at the pace each round returns, and outlives every failure. */
final class Worker implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Worker.class);

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
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile @Nullable Outbox session;
  private @Nullable OutboxRelay relay;

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
        bell.await(poll.next());
      }
      case IDLE -> {
        outage.reset();
        bell.await(poll.next());
      }
      case BACK_OFF -> pause(outage.next());
    }
  }

  private boolean pause(Duration length) throws InterruptedException {
    return stop.await(length.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void foundWork() {
    metrics.foundWork(bell.wasDoorbell());
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
          "42P01".equals(e.getSQLState())
              ? "the outbox tables are not there yet; order-service's migration makes them"
              : String.valueOf(e.getMessage()));
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
