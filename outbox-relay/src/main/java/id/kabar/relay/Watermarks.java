package id.kabar.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Where each bucket starts: at or below its watermark nothing is left and nothing will come, so a
 * claim need not walk the index entries of what was published. A hint in memory: it costs nothing
 * to lose it, and a slow sweep reads every bucket from zero in turn all the same.
 *
 * <p>"The last published position" would not do: a transaction that drew an earlier position may
 * commit later, and would be passed over. So a watermark stays at or below the {@link
 * #safePosition() safe position}, as it was known <em>before</em> the round read its events.
 */
final class Watermarks {

  static final int BUCKETS = 64;
  private static final Duration SWEEP_EVERY = Duration.ofMillis(150);

  /** A position and a transaction id that is younger than every transaction that drew up to it. */
  private record Mark(long position, long transaction) {}

  private final long[] lows = new long[BUCKETS];
  private long safePosition;
  private Mark mark = new Mark(0, 0);
  private boolean moved = true;
  private int swept;
  private final LongSupplier nanoTime;
  private long lastSweep;

  /**
   * @param nanoTime a monotonic clock, as {@link System#nanoTime()}
   */
  Watermarks(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastSweep = nanoTime.getAsLong();
  }

  /** Start positions of the buckets for one claim; one of them is zero now and then. */
  synchronized long[] starts() {
    long[] starts = lows.clone();
    long now = nanoTime.getAsLong();
    if (now - lastSweep >= SWEEP_EVERY.toNanos()) {
      lastSweep = now;
      swept = (swept + 1) % BUCKETS;
      starts[swept] = 0;
    }
    return starts;
  }

  /** Every position up to this one belongs to a finished transaction. */
  synchronized long safePosition() {
    return safePosition;
  }

  /**
   * Nothing is left in the bucket up to {@code settled}; {@code safe} was known before the read.
   */
  synchronized void advance(int bucket, long settled, long safe) {
    lows[bucket] = Math.max(lows[bucket], Math.min(settled, safe));
    moved = true;
  }

  /** After a lost session: another server may answer now, with an older past. */
  synchronized void forget() {
    Arrays.fill(lows, 0);
    safePosition = 0;
    mark = new Mark(0, 0);
  }

  /** Whether anything was published since the last sample; an idle relay asks nothing. */
  synchronized boolean wantSample() {
    boolean wanted = moved || mark.position() > safePosition;
    moved = false;
    return wanted;
  }

  /**
   * Two looks at the database make a position safe: first the sequence's last value and then, by a
   * later statement, a new transaction id. Whoever drew a position up to that value had its
   * transaction id before, hence a smaller one; once none older than ours runs, all of them are
   * over. (The snapshot's upper bound would not do in place of the new id: it is one past the last
   * <em>finished</em> transaction and may well be the very one that is still running.)
   */
  void sample(Upkeep outbox) throws SQLException {
    long oldestRunning = outbox.oldestRunningTransaction();
    if (!reached(oldestRunning)) {
      return;
    }
    long last = outbox.lastPosition();
    next(new Mark(last, outbox.newTransaction()));
  }

  private synchronized boolean reached(long oldestRunning) {
    if (oldestRunning < mark.transaction()) {
      return false;
    }
    safePosition = Math.max(safePosition, mark.position());
    return true;
  }

  private synchronized void next(Mark mark) {
    this.mark = mark;
  }
}
