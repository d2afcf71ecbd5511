package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  @Test
  void idleRelayLooksEverLaterUpToTheLongestWait() {
    Backoff poll = Backoff.exact(Duration.ofMillis(20), Duration.ofSeconds(1));

    List<Long> waits = Stream.generate(() -> poll.next().toMillis()).limit(8).toList();

    assertThat(waits).containsExactly(20L, 40L, 80L, 160L, 320L, 640L, 1000L, 1000L);
  }

  @Test
  void startsOverOnceThereIsWork() {
    Backoff poll = Backoff.exact(Duration.ofMillis(20), Duration.ofSeconds(1));
    poll.next();
    poll.next();

    poll.reset();

    assertThat(poll.next()).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void manyRelaysDoNotCallADeadServerInStep() {
    Backoff outage = Backoff.jittered(Duration.ofMillis(100), Duration.ofSeconds(5), new Random(7));
    for (long full = 100; full <= 3200; full *= 2) {
      assertThat(outage.next()).isBetween(Duration.ofMillis(full / 2), Duration.ofMillis(full));
    }
    assertThat(outage.next()).isBetween(Duration.ofMillis(2500), Duration.ofSeconds(5));
  }
}
