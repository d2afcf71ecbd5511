package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DutyTest {

  private final AtomicInteger done = new AtomicInteger();

  @Test
  void failureIsNotTheEnd() {
    Duty duty =
        new Duty(
            "fail",
            Duration.ofMillis(1),
            () -> {
              done.incrementAndGet();
              throw new IllegalStateException("always");
            });
    duty.start();

    await().until(() -> done.get() > 3);
    duty.stop();
  }

  @Test
  void dutyThatHangsHoldsUpNoOther() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    Duty hangs = new Duty("drop old days", Duration.ofMillis(1), never::await);
    Duty other = new Duty("make new days", Duration.ofMillis(1), done::incrementAndGet);
    hangs.start();
    other.start();

    await().until(() -> done.get() > 3);
    hangs.stop();
    other.stop();
    never.countDown();
    assertThat(never.await(1, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
  }
}
