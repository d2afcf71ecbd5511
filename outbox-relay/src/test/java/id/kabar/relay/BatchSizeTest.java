package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

class BatchSizeTest {

  private static final Event EVENT =
      new Event(0, 1, new UUID(0, 1), "Order", "o", "OrderPaid", new byte[0], "{}", Instant.EPOCH);

  private final BatchSize size =
      new BatchSize(new RelaySettings.Batch(500, 2000, DataSize.ofMegabytes(1)), 8);

  @Test
  void growsWhileClaimsAreFullAndNoLonger() {
    size.learn(claim(500, true, false));
    assertThat(size.next()).isEqualTo(1000);
    size.learn(claim(1000, true, false));
    size.learn(claim(2000, true, false));
    assertThat(size.next()).isEqualTo(2000);

    size.learn(claim(3, false, false));
    assertThat(size.next()).isEqualTo(500);
  }

  @Test
  void asksForLittleMoreThanPayloadsAllow() {
    size.learn(claim(48, true, true));
    assertThat(size.next()).isEqualTo(96);

    size.learn(claim(1, true, true));
    assertThat(size.next()).as("an event of each bucket").isEqualTo(8);
  }

  @Test
  void growsAgainOnceBytesAreNotTheBound() {
    size.learn(claim(8, true, true));
    size.learn(claim(16, true, false));

    assertThat(size.next()).isEqualTo(32);
  }

  private static Claim claim(int events, boolean full, boolean heavy) {
    return new Claim(List.copyOf(Collections.nCopies(events, EVENT)), Map.of(), full, heavy);
  }
}
