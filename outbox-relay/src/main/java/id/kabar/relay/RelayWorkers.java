package id.kabar.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Starts the workers, the doorbell and the duties; stops them with what is sent settled. */
final class RelayWorkers implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(RelayWorkers.class);
  private static final Duration GIVE_UP = Duration.ofSeconds(2);
  private static final Duration ABANDON = Duration.ofSeconds(1);

  private final List<Worker> workers;
  private final List<Doorbell> doorbells;
  private final List<Duty> duties;
  private final Duration finish;
  private List<Thread> threads = List.of();

  /**
   * @param doorbells one, or none where the bell is switched off
   * @param finish how long a round under way may take to end by itself
   */
  RelayWorkers(List<Worker> workers, List<Doorbell> doorbells, List<Duty> duties, Duration finish) {
    this.workers = workers;
    this.doorbells = doorbells;
    this.duties = duties;
    this.finish = finish;
  }

  @Override
  public synchronized void start() {
    duties.forEach(Duty::start);
    doorbells.forEach(doorbell -> Thread.ofPlatform().daemon().name("doorbell").start(doorbell));
    threads =
        workers.stream()
            .map(
                worker ->
                    Thread.ofPlatform().name("relay-" + workers.indexOf(worker)).start(worker))
            .toList();
    log.info("Relaying with {} workers", workers.size());
  }

  /** Each step is only for those whom the one before did not help. */
  @Override
  public synchronized void stop() {
    duties.forEach(Duty::stop);
    doorbells.forEach(Doorbell::stop);
    workers.forEach(Worker::stop);
    if (!ended(finish)) {
      log.warn(
          "Kafka has not confirmed everything within {} s, giving up the rest", finish.toSeconds());
      workers.forEach(Worker::giveUp);
    }
    if (!ended(GIVE_UP)) {
      log.warn("The database does not let the rounds end, leaving it to end the sessions");
      workers.forEach(Worker::abandon);
    }
    if (ended(ABANDON)) {
      log.info("All rounds have ended, all buckets are free");
    }
    threads = List.of();
  }

  private boolean ended(Duration longest) {
    long deadline = System.nanoTime() + longest.toNanos();
    try {
      for (Thread thread : threads) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (thread.isAlive() && (left <= 0 || !thread.join(Duration.ofMillis(left)))) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return !threads.isEmpty();
  }
}
