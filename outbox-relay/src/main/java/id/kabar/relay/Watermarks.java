package id.kabar.relay;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Where each bucket starts: at or below its watermark nothing is due and nothing will come, so a
 * claim need neither walk the index entries of what was published nor the events that wait behind a
 * refused one. A hint in memory: it costs nothing to lose it, and a slow sweep looks through every
 * bucket in turn all the same.
 *
 * <p>"The last published position" would not do: a transaction that drew an earlier position may
 * commit later, and would be passed over. So a watermark stays at or below the {@link
 * #safePosition() safe position}, as it was known <em>before</em> the round read its events.
 *
 * <p>Nor would it do to pass a refused event and what waits behind it, and to forget about them:
 * once it leaves, these go on before what comes later. So a watermark holds for one count of
 * refused events that have left its bucket, which the database keeps; each claim compares it.
 */
final class Watermarks {

  static final int BUCKETS = 64;
  private static final Duration SWEEP_EVERY = Duration.ofMillis(150);

  /** A position and a transaction id that is younger than every transaction that drew up to it. */
  private record Mark(long position, long transaction) {}

  /**
   * Where the buckets start for one claim.
   *
   * @param positions of each bucket
   * @param released the count of each bucket that its position holds for; else it starts at zero
   * @param lookOver how many events that are not due may be looked over in each
   */
  @SuppressWarnings("ArrayRecordComponent") // parameters of a statement, never compared
  record Starts(long[] positions, long[] released, long lookOver) {

    static final Starts AT_ZERO =
        new Starts(new long[BUCKETS], new long[BUCKETS], Outbox.LOOK_OVER);
  }

  private final long[] lows = new long[BUCKETS];
  private final long[] released = new long[BUCKETS];
  private final long[] sweeps = new long[BUCKETS];
  private final boolean[] sweeping = new boolean[BUCKETS];
  private long safePosition;
  private Mark mark = new Mark(0, 0);
  private boolean moved = true;
  private boolean blocked;
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

  /** For one claim; now and then one of the buckets starts where the sweep has come to. */
  synchronized Starts starts() {
    long[] starts = lows.clone();
    long now = nanoTime.getAsLong();
    if (now - lastSweep >= SWEEP_EVERY.toNanos()) {
      lastSweep = now;
      swept = (swept + 1) % BUCKETS;
      starts[swept] = sweepFrom(swept);
    }
    long lookOver = blocked ? Integer.MAX_VALUE : Outbox.LOOK_OVER;
    blocked = false;
    return new Starts(starts, released.clone(), lookOver);
  }

  /** Goes on where the last sweep had to end; from zero when it saw the whole bucket. */
  private long sweepFrom(int bucket) {
    if (sweeping[bucket]) {
      sweeps[bucket] = 0;
    }
    sweeping[bucket] = true;
    return Math.min(sweeps[bucket], lows[bucket]);
  }

  /** Where the buckets start, for one who only looks. */
  synchronized Starts glance() {
    return new Starts(lows.clone(), released.clone(), Outbox.LOOK_OVER);
  }

  /** Every position up to this one belongs to a finished transaction. */
  synchronized long safePosition() {
    return safePosition;
  }

  /**
   * Nothing in the bucket is due up to {@code reach}; {@code safe} was known before the read.
   * Returns whether the bucket starts further on now.
   */
  synchronized boolean advance(int bucket, Claim.Reach reach, long safe) {
    if (reach.released() < released[bucket]) {
      return false; // a late word: somebody has seen more since
    }
    long position = Math.min(reach.position(), safe);
    if (reach.released() > released[bucket]) {
      released[bucket] = reach.released();
      lows[bucket] = 0;
      sweeps[bucket] = 0;
    }
    moved = true;
    if (sweeping[bucket]) {
      sweeping[bucket] = false;
      sweeps[bucket] = position < lows[bucket] ? position : 0;
    }
    if (position > lows[bucket]) {
      lows[bucket] = position;
      return true;
    }
    // Nothing but what waits behind refused events, as far as may be looked over, and a writer that
    // has not finished keeps the watermark from passing it: only a long look finds what is due.
    blocked |= reach.idle() && reach.position() > safe;
    return false;
  }

  /** After a lost session: another server may answer now, with an older past. */
  synchronized void forget() {
    Arrays.fill(lows, 0);
    Arrays.fill(released, 0);
    Arrays.fill(sweeps, 0);
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
