package id.kabar.benchmarks.payments;

import id.kabar.benchmarks.report.Latencies;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
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

  /** A generator later than this sends bursts, and no rate. */
  private static final double LATEST_MILLIS = 20;

  private static final double LEAST_SHARE = 0.98;

  private final double wished;
  private final double[] late;
  private final double[] millis;
  private final AtomicInteger failures = new AtomicInteger();
  private double seconds;

  private OpenLoop(double perSecond, int calls) {
    wished = perSecond;
    late = new double[calls];
    millis = new double[calls];
    Arrays.fill(millis, Double.NaN);
  }

  /** Returns when all calls have ended. */
  static OpenLoop run(double perSecond, Duration length, Call call) {
    OpenLoop loop = new OpenLoop(perSecond, (int) (perSecond * length.toMillis() / 1000));
    loop.run(call);
    return loop;
  }

  private void run(Call call) {
    long start = System.nanoTime();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < millis.length; i++) {
        int number = i;
        long due = start + (long) (i * 1e9 / wished);
        for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
          LockSupport.parkNanos(due - now);
        }
        callers.execute(() -> make(call, number, due));
      }
    }
    seconds = (System.nanoTime() - start) / 1e9;
  }

  private void make(Call call, int number, long due) {
    late[number] = (System.nanoTime() - due) / 1e6;
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

  /** Why this was no open loop at the wished rate; empty if it was one. */
  Optional<String> refusal() {
    double latest = new Latencies(late).at(0.99);
    if (latest > LATEST_MILLIS) {
      return Optional.of(
          "the generator fell behind: a hundredth of its calls began %.0f ms late or later"
              .formatted(latest));
    }
    return achieved() < LEAST_SHARE * wished
        ? Optional.of(
            "%.0f calls/s were wished for, %.0f a second succeeded".formatted(wished, achieved()))
        : Optional.empty();
  }

  /** Calls that succeeded, per second. */
  double achieved() {
    return (millis.length - failures()) / seconds;
  }
}
