package id.kabar.notification.deadletter;

import id.kabar.notification.deadletter.SharedTrust.Level;
import id.kabar.notification.ledger.DeadLetters.Round;
import id.kabar.notification.ledger.ReplayJob;
import id.kabar.notification.ledger.ReplayJob.Due;
import id.kabar.notification.ledger.ReplayJob.Item;
import id.kabar.notification.ledger.ReplayJob.Kind;
import id.kabar.notification.ledger.ReplayJobs;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs the replay jobs, one letter at a time and each in its own transaction: lock the job whose
 * turn it is, send its next letter, note both. Any instance can do the next step, for nothing is
 * known only to the one that did the last; a crash repeats at most the letter it was at.
 */
@Component
class ReplayEngine implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(ReplayEngine.class);

  /** Until the next look for jobs, which may have been made by another instance. */
  private static final Duration IDLE = Duration.ofMillis(500);

  /** Until the next look whether what a job waits for has come. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONGEST_STOP = Duration.ofSeconds(9);

  private final ReplayJobs jobs;
  private final DeadLetterReplay replay;
  private final SharedTrust trust;
  private final DeadLetterSettings settings;
  private final RedriveSettings redrive;
  private final TransactionTemplate transaction;
  private final Semaphore news = new Semaphore(0);
  private volatile @Nullable Thread worker;

  ReplayEngine(
      ReplayJobs jobs,
      DeadLetterReplay replay,
      SharedTrust trust,
      DeadLetterSettings settings,
      RedriveSettings redrive,
      TransactionTemplate transaction) {
    this.jobs = jobs;
    this.replay = replay;
    this.trust = trust;
    this.settings = settings;
    this.redrive = redrive;
    this.transaction = transaction;
  }

  /** There is a new job. */
  void wake() {
    news.release();
  }

  private void work() {
    Thread me = Thread.currentThread();
    try {
      while (worker == me) {
        Duration pace = pace();
        if (!pace.isZero() && news.tryAcquire(pace.toNanos(), TimeUnit.NANOSECONDS)) {
          news.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      me.interrupt();
    }
  }

  private Duration pace() {
    try {
      Duration pace = transaction.execute(status -> step());
      return pace.compareTo(IDLE) < 0 ? pace : IDLE;
    } catch (DataAccessException | TransactionException e) {
      log.warn("Replays wait for the database: {}", e.getClass().getSimpleName());
    } catch (RuntimeException e) {
      log.error("A replay failed unexpectedly and is tried again", e);
    }
    return settings.pause();
  }

  /** Does what is due, within one transaction; returns how long there is nothing to do. */
  private Duration step() {
    Optional<Due> next = jobs.nextDue(settings.lease());
    if (next.isEmpty()) {
      return IDLE;
    }
    if (next.get().in().isPositive()) {
      return next.get().in();
    }
    stepOf(next.get().job());
    return Duration.ZERO;
  }

  private void stepOf(ReplayJob job) {
    Optional<Item> item = jobs.nextItem(job.id());
    if (item.isEmpty()) {
      jobs.done(job.id());
      log.info(
          "Replay {} is done: {} letters sent again, {} refused",
          job.id(),
          job.progress().replayed(),
          job.progress().refused());
      return;
    }
    Level trusted = trust.now();
    boolean probes = job.kind() == Kind.REDRIVE && trusted == Level.PROBE;
    if (trusted == Level.SPARED) {
      jobs.postpone(job.id(), LOOK_AGAIN, "the provider, which is not called right now");
    } else if (jobs.underWay() >= (probes ? 1 : settings.replaysUnderWay())) {
      jobs.postpone(
          job.id(), LOOK_AGAIN.dividedBy(5), "the letters sent before, which are under way");
    } else if (probes) {
      replay(job, item.get(), Round.PROBE, redrive.probePause());
    } else {
      replay(
          job,
          item.get(),
          job.kind() == Kind.REDRIVE ? Round.REDRIVE : Round.REPLAY,
          SECOND.dividedBy(job.request().perSecond()));
    }
  }

  private void replay(ReplayJob job, Item item, Round round, Duration interval) {
    try {
      String refusal = replay.replay(item.letterId(), round).map(Refusal::name).orElse(null);
      jobs.settle(job.id(), item.position(), refusal, interval);
    } catch (BrokerUnavailable e) {
      log.warn("Replay {} waits for the broker, which did not confirm a letter", job.id());
      jobs.postpone(job.id(), settings.pause(), "the broker, which did not confirm a letter");
    }
  }

  @Override
  public void start() {
    Thread thread = Thread.ofVirtual().name("replays").unstarted(this::work);
    worker = thread;
    thread.start();
  }

  /** Lets the letter under way be noted: an interrupt would repeat it. */
  @Override
  public void stop() {
    Thread thread = worker;
    worker = null;
    wake();
    try {
      if (thread != null && !thread.join(LONGEST_STOP)) {
        log.warn("A replay is still waiting for its broker or database; it will be repeated");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return worker != null;
  }
}
