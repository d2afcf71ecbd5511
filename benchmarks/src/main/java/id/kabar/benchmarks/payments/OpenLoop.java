package id.kabar.benchmarks.payments;

import id.kabar.benchmarks.report.Latencies;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls at a fixed rate, whether or not anybody keeps up; a call's time counts from when it was
 * due.
 */
final class OpenLoop {

  /** One call, by its number from 0; an exception is a failure. */
  interface Call {
    void make(int number) throws Exception;
  }

  private final double[] millis;
  private final AtomicInteger failures = new AtomicInteger();
  private double seconds;

  private OpenLoop(int calls) {
    millis = new double[calls];
    Arrays.fill(millis, Double.NaN);
  }

  /** Returns when all calls have ended. */
  static OpenLoop run(double perSecond, Duration length, Call call) {
    OpenLoop loop = new OpenLoop((int) (perSecond * length.toMillis() / 1000));
    loop.run(perSecond, call);
    return loop;
  }

  private void run(double perSecond, Call call) {
    long start = System.nanoTime();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < millis.length; i++) {
        int number = i;
        long due = start + (long) (i * 1e9 / perSecond);
        for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
          LockSupport.parkNanos(due - now);
        }
        callers.execute(() -> make(call, number, due));
      }
    }
    seconds = (System.nanoTime() - start) / 1e9;
  }

  private void make(Call call, int number, long due) {
    try {
      call.make(number);
      millis[number] = (System.nanoTime() - due) / 1e6;
    } catch (Exception e) {
      failures.incrementAndGet();
    }
  }

  Latencies latencies() {
    return new Latencies(Arrays.stream(millis).filter(one -> !Double.isNaN(one)).toArray());
  }

  int failures() {
    return failures.get();
  }

  /** Calls that succeeded, per second. */
  double achieved() {
    return (millis.length - failures()) / seconds;
  }
}
