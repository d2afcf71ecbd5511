package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A doorbell on a line that a proxy may keep from delivering. */
class DoorbellTest {

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final RelayMetrics metrics = new RelayMetrics(meters, Clock.systemUTC());
  private final Bell bell = new Bell();
  private final BlockingQueue<Doorbell.Ring> wire = new LinkedBlockingQueue<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger words = new AtomicInteger();
  private volatile boolean delivers = true;
  private volatile boolean ringerWorks = true;
  private final Doorbell doorbell =
      new Doorbell(
          FakeLine::new,
          this::ring,
          bell,
          metrics,
          new RelaySettings.Doorbell(true, Duration.ofMillis(50), Duration.ofMillis(20)),
          Backoff.exact(Duration.ofMillis(1), Duration.ofMillis(10)),
          () -> "word-" + words.incrementAndGet(),
          System::nanoTime);

  /** LISTEN succeeds; whether anything is delivered is another matter. */
  private final class FakeLine implements Doorbell.Line {

    FakeLine() {
      opened.incrementAndGet();
    }

    @Override
    public void listen(String channel) {}

    @Override
    public List<Doorbell.Ring> hear(Duration longest) throws SQLException {
      try {
        Doorbell.Ring ring = wire.poll(5, TimeUnit.MILLISECONDS);
        return ring == null || !delivers ? List.of() : List.of(ring);
      } catch (InterruptedException e) {
        throw new SQLException(e);
      }
    }

    @Override
    public void close() {}
  }

  private void ring(String channel, String word) throws SQLException {
    if (!ringerWorks) {
      throw new SQLException("no connection to ring through");
    }
    wire.add(new Doorbell.Ring(channel, word));
  }

  @AfterEach
  void stop() {
    doorbell.stop();
  }

  @Test
  void lineThatDeliversNothingIsFoundOutAndFoundWellAgain() {
    delivers = false;
    start();
    await().until(() -> deaf() == 1);
    assertThat(metrics.deaf()).isTrue();
    await("it listens anew, in case that helps").until(() -> opened.get() > 2);

    delivers = true;

    await().until(() -> deaf() == 0);
  }

  @Test
  void lineThatGoesDeafLaterIsFoundOutToo() {
    start();
    await().until(() -> words.get() > 4);
    assertThat(deaf()).isZero();

    delivers = false;

    await().until(() -> deaf() == 1);
  }

  @Test
  void ringerThatCannotRingSaysNothingAboutTheLine() {
    ringerWorks = false;
    start();
    await().until(() -> words.get() > 6);

    assertThat(deaf()).isZero();
    assertThat(opened).hasValue(1);
  }

  @Test
  void writersRingWakesAWorkerAndTheOwnOneDoesNot() throws InterruptedException {
    start();
    assertThat(bell.await(Duration.ofSeconds(5))).as("at the start").isTrue();
    await().until(() -> words.get() > 4);
    assertThat(bell.await(Duration.ofMillis(1))).isFalse();

    wire.add(new Doorbell.Ring(Doorbell.CHANNEL, ""));

    assertThat(bell.await(Duration.ofSeconds(5))).isTrue();
  }

  private double deaf() {
    return meters.get("outbox.doorbell.deaf").gauge().value();
  }

  private void start() {
    Thread.ofVirtual().start(doorbell);
  }
}
