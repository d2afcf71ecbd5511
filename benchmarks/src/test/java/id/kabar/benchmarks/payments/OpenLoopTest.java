package id.kabar.benchmarks.payments;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class OpenLoopTest {

  private static final Duration SHORT = Duration.ofMillis(500);

  @Test
  void slowAnswersDoNotSlowTheCallsDown() {
    OpenLoop loop =
        OpenLoop.run(20, SHORT, _ -> LockSupport.parkNanos(Duration.ofMillis(100).toNanos()));

    assertThat(loop.failures()).isZero();
    assertThat(loop.latencies().at(0.5)).isBetween(99.0, 400.0);
  }

  @Test
  void generatorThatFallsBehindIsRefused() {
    OpenLoop loop = OpenLoop.run(5_000_000, SHORT.dividedBy(10), _ -> {});

    assertThat(loop.refusal()).hasValueSatisfying(it -> assertThat(it).contains("fell behind"));
  }

  @Test
  void rateThatIsNotHeldIsRefused() {
    OpenLoop loop =
        OpenLoop.run(20, SHORT, _ -> LockSupport.parkNanos(Duration.ofSeconds(1).toNanos()));

    assertThat(loop.refusal())
        .hasValueSatisfying(
            it -> assertThat(it).containsAnyOf("20 calls/s were wished for", "fell behind"));
  }
}
