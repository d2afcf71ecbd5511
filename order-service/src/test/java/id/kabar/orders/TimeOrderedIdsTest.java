package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdsTest {

  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00.123Z");

  // As PostgreSQL compares them.
  private static final Comparator<UUID> BY_BYTES = Comparator.comparing(UUID::toString);

  @Test
  void areOfVersion7AndTellTheirMillisecond() {
    UUID id = at(NOON).get();

    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(NOON.toEpochMilli());
  }

  @Test
  void riseWithinOneTickOfTheClock() {
    Supplier<UUID> ids = at(NOON);

    List<UUID> made = Stream.generate(ids).limit(10_000).toList();

    assertThat(made).isSortedAccordingTo(BY_BYTES).doesNotHaveDuplicates();
  }

  @Test
  void riseWhenTheClockIsSetBack() {
    SettableClock clock = new SettableClock(NOON);
    Supplier<UUID> ids = new TimeOrderedIds(clock, new SecureRandom());
    List<UUID> made = new ArrayList<>();

    made.add(ids.get());
    clock.now = NOON.minusSeconds(3600);
    made.add(ids.get());
    clock.now = NOON.plusNanos(1000);
    made.add(ids.get());

    assertThat(made).isSortedAccordingTo(BY_BYTES).doesNotHaveDuplicates();
  }

  @Test
  void areUniqueAcrossThreads() {
    Supplier<UUID> ids = at(NOON);
    Set<UUID> made = ConcurrentHashMap.newKeySet();

    IntStream.range(0, 100_000).parallel().forEach(n -> made.add(ids.get()));

    assertThat(made).hasSize(100_000);
  }

  private static Supplier<UUID> at(Instant time) {
    return new TimeOrderedIds(Clock.fixed(time, ZoneOffset.UTC), new SecureRandom());
  }

  private static final class SettableClock extends Clock {

    private Instant now;

    SettableClock(Instant now) {
      this.now = now;
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }
  }
}
