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
    watermarks.advance(3, 100, 40);

    assertThat(watermarks.starts()[3]).isEqualTo(40);
  }

  @Test
  void watermarkNeverGoesBack() {
    watermarks.advance(3, 100, 100);
    watermarks.advance(3, 50, 100);

    assertThat(watermarks.starts()[3]).isEqualTo(100);
  }

  @Test
  void sweepReadsEveryBucketFromZeroInTurnAndOnlyOneAtATime() {
    for (int bucket = 0; bucket < Watermarks.BUCKETS; bucket++) {
      watermarks.advance(bucket, 10, 10);
    }
    Set<Integer> swept = new HashSet<>();
    for (int i = 0; i < Watermarks.BUCKETS; i++) {
      nanos.addAndGet(150_000_000);
      long[] starts = watermarks.starts();
      assertThat(Arrays.stream(starts).filter(start -> start == 0)).hasSize(1);
      for (int bucket = 0; bucket < starts.length; bucket++) {
        if (starts[bucket] == 0) {
          swept.add(bucket);
        }
      }
      assertThat(watermarks.starts()).doesNotContain(0);
    }
    assertThat(swept).hasSize(Watermarks.BUCKETS);
  }

  @Test
  void lostSessionForgetsEverything() {
    watermarks.advance(3, 100, 100);

    watermarks.forget();

    assertThat(watermarks.starts()[3]).isZero();
    assertThat(watermarks.safePosition()).isZero();
  }

  @Test
  void idleRelayAsksForNoSample() {
    assertThat(watermarks.wantSample()).isTrue();
    assertThat(watermarks.wantSample()).isFalse();

    watermarks.advance(3, 100, 100);

    assertThat(watermarks.wantSample()).isTrue();
  }
}
