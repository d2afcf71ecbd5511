package id.kabar.orders;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Makes UUIDs of version 7 (RFC 9562): 48 bits of milliseconds, 12 bits of their fraction, 62
 * random bits. Ids of one instance always rise, also within one tick of the clock and when the
 * clock is set back.
 */
final class TimeOrderedIds implements Supplier<UUID> {

  private static final int FRACTION_BITS = 12;
  private static final long FRACTION = (1L << FRACTION_BITS) - 1;

  private final Clock clock;
  private final RandomGenerator random;
  private final AtomicLong last = new AtomicLong();

  TimeOrderedIds(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  @Override
  public UUID get() {
    long now = ticks(clock.instant());
    long tick = last.updateAndGet(previous -> Math.max(previous + 1, now));
    long high = ((tick & ~FRACTION) << 4) | 0x7000 | (tick & FRACTION);
    long low = (1L << 63) | (random.nextLong() >>> 2);
    return new UUID(high, low);
  }

  /** A tick is the 4096th part of a millisecond. */
  private static long ticks(Instant time) {
    long millis = time.toEpochMilli();
    long nanosOfMilli = Instant.ofEpochMilli(millis).until(time, ChronoUnit.NANOS);
    return (millis << FRACTION_BITS) | ((nanosOfMilli << FRACTION_BITS) / 1_000_000);
  }
}
