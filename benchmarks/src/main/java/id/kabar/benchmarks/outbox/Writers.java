package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.report.Latencies;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes events at a fixed rate, one per transaction, whether or not anybody keeps up, and rings as
 * order-service does.
 */
final class Writers {

  private static final int WRITERS = 8;

  private final Stage stage;
  private final String noise;
  private final int first;
  private final int count;
  private final double perSecond;
  private final long[] committed;
  private volatile long last;

  private Writers(Stage stage, double perSecond, Duration length) {
    this.stage = stage;
    this.perSecond = perSecond;
    this.noise = Table.noise(stage.shape());
    this.first = stage.written();
    this.count = (int) (perSecond * length.toMillis() / 1000);
    this.committed = new long[count];
  }

  /** Returns when all are written. */
  static Writers write(Stage stage, double perSecond, Duration length) throws Exception {
    Writers writers = new Writers(stage, perSecond, length);
    stage.wrote(writers.count);
    writers.run();
    return writers;
  }

  private void run() throws InterruptedException, ExecutionException, SQLException {
    if (!stage.arm().hasDoorbell()) {
      write(() -> {});
      return;
    }
    try (Ringer ringer = new Ringer(stage.database(), stage.arm().bellPause())) {
      write(ringer::ring);
    }
  }

  private void write(Runnable bell) throws InterruptedException, ExecutionException {
    long start = System.nanoTime() + 50_000_000;
    try (ExecutorService pool = Executors.newCachedThreadPool()) {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        int number = writer;
        all.add(pool.submit(() -> write(number, start, bell)));
      }
      for (Future<Boolean> one : all) {
        one.get();
      }
    }
    last = System.nanoTime() - start;
  }

  /** Each key has one writer, so that its events are committed in order. */
  private boolean write(int writer, long start, Runnable bell) throws SQLException {
    try (Connection connection = stage.database().connect();
        PreparedStatement insertion = stage.insertion(connection)) {
      for (int i = 0; i < count; i++) {
        if (stage.shape().keyOf(first + i) % WRITERS != writer) {
          continue;
        }
        long due = start + (long) (i * 1e9 / perSecond);
        for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
          LockSupport.parkNanos(due - now);
        }
        stage.arm().table().insert(insertion, stage.shape(), first + i, noise);
        Instant now = Instant.now();
        committed[i] = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
        bell.run();
      }
      return true;
    }
  }

  /** Events per second that were in fact written. */
  double achieved() {
    return count / (last / 1e9);
  }

  /**
   * From the commit's return to the broker's append, whose clock has whole milliseconds and is the
   * same, for the events from {@code from} of their number on; those that never came are left out.
   */
  Latencies latencies(Delivery delivery, double from, double to) {
    int low = (int) (count * from);
    int high = (int) (count * to);
    double[] millis = new double[high - low];
    int n = 0;
    for (int i = low; i < high; i++) {
      long appended = delivery.appended(first + i);
      if (appended != 0) {
        millis[n++] = Math.max(0, appended + 0.5 - committed[i] / 1000.0);
      }
    }
    return new Latencies(Arrays.copyOf(millis, n));
  }
}
