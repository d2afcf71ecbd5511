package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WatermarksTest {

  private final AtomicLong nanos = new AtomicLong();
  private final Watermarks watermarks = new Watermarks(nanos::get);

  @Test
  void watermarkStaysBelowWhatIsNotSafe() {
    watermarks.advance(3, seen(100), 40);

    assertThat(watermarks.starts().positions()[3]).isEqualTo(40);
  }

  @Test
  void watermarkNeverGoesBack() {
    watermarks.advance(3, seen(100), 100);
    watermarks.advance(3, seen(50), 100);

    assertThat(watermarks.starts().positions()[3]).isEqualTo(100);
  }

  @Test
  void sweepReadsEveryBucketFromZeroInTurnAndOnlyOneAtATime() {
    for (int bucket = 0; bucket < Watermarks.BUCKETS; bucket++) {
      watermarks.advance(bucket, seen(10), 10);
    }
    Set<Integer> swept = new HashSet<>();
    for (int i = 0; i < Watermarks.BUCKETS; i++) {
      nanos.addAndGet(150_000_000);
      long[] starts = watermarks.starts().positions();
      assertThat(Arrays.stream(starts).filter(start -> start == 0)).hasSize(1);
      for (int bucket = 0; bucket < starts.length; bucket++) {
        if (starts[bucket] == 0) {
          swept.add(bucket);
        }
      }
      assertThat(watermarks.starts().positions()).doesNotContain(0);
    }
    assertThat(swept).hasSize(Watermarks.BUCKETS);
  }

  @Test
  void lostSessionForgetsEverything() {
    watermarks.advance(3, seen(100), 100);

    watermarks.forget();

    assertThat(watermarks.starts().positions()[3]).isZero();
    assertThat(watermarks.safePosition()).isZero();
  }

  @Test
  void idleRelayAsksForNoSample() {
    assertThat(watermarks.wantSample()).isTrue();
    assertThat(watermarks.wantSample()).isFalse();

    watermarks.advance(3, seen(100), 100);

    assertThat(watermarks.wantSample()).isTrue();
  }

  @Test
  void watermarkHoldsForOneCountOfRefusedEventsThatHaveLeft() {
    watermarks.advance(3, seen(100), 100);

    watermarks.advance(3, new Claim.Reach(20, 1, false), 100);

    assertThat(watermarks.starts().positions()[3]).as("where the next event is due").isEqualTo(20);
    assertThat(watermarks.starts().released()[3]).isEqualTo(1);
    watermarks.advance(3, seen(100), 100);
    assertThat(watermarks.starts().positions()[3]).as("after a late word").isEqualTo(20);
  }

  @Test
  void sweepGoesOnWhereItHadToEnd() {
    for (int bucket = 0; bucket < Watermarks.BUCKETS; bucket++) {
      watermarks.advance(bucket, seen(5000), 5000);
    }
    assertThat(sweepStart()).isZero();
    watermarks.advance(1, new Claim.Reach(1000, 0, true), 5000);
    waitForAllOtherSweeps();
    assertThat(sweepStart()).isEqualTo(1000);
    waitForAllOtherSweeps();
    assertThat(sweepStart()).as("the rest held nothing to report").isZero();
  }

  @Test
  void longLookFollowsWhereAnUnfinishedWriterKeepsTheWatermark() {
    assertThat(watermarks.advance(3, new Claim.Reach(1000, 0, true), 0)).isFalse();

    assertThat(watermarks.starts().lookOver()).isGreaterThan(1_000_000);
    assertThat(watermarks.starts().lookOver()).as("once").isEqualTo(Outbox.LOOK_OVER);
  }

  @Test
  void bucketWithEventsNeedsNoLongLook() {
    watermarks.advance(3, new Claim.Reach(1000, 0, false), 0);

    assertThat(watermarks.starts().lookOver()).isEqualTo(Outbox.LOOK_OVER);
  }

  private long sweepStart() {
    nanos.addAndGet(150_000_000);
    return watermarks.starts().positions()[1];
  }

  private void waitForAllOtherSweeps() {
    for (int other = 1; other < Watermarks.BUCKETS; other++) {
      nanos.addAndGet(150_000_000);
      watermarks.starts();
    }
  }

  private static Claim.Reach seen(long position) {
    return new Claim.Reach(position, 0, false);
  }
}
