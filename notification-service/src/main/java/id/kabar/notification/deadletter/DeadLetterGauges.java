package id.kabar.notification.deadletter;

import id.kabar.notification.ledger.DeadLetters;
import id.kabar.notification.ledger.OpenLetters;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Counts what waits for somebody: now and then, not at every scrape. */
@Component
class DeadLetterGauges {

  private static final Logger log = LoggerFactory.getLogger(DeadLetterGauges.class);

  private final DeadLetters letters;
  private volatile @Nullable OpenLetters open;

  DeadLetterGauges(DeadLetters letters, MeterRegistry meters) {
    this.letters = letters;
    Gauge.builder("notification.dead_letters.open", this, g -> g.count())
        .description("Dead letters that wait for somebody")
        .register(meters);
    Gauge.builder("notification.dead_letters.oldest", this, g -> g.oldestSeconds())
        .description("Time since the last failure of the open dead letter that waits longest")
        .baseUnit("seconds")
        .register(meters);
  }

  @Scheduled(fixedDelayString = "${notification.dead-letters.sample-every:15s}")
  void sample() {
    try {
      letters.resolveSent();
      open = letters.open();
    } catch (DataAccessException e) {
      open = null; // better no number than an old one
      log.debug("Cannot count the dead letters", e);
    }
  }

  private double count() {
    OpenLetters sampled = open;
    return sampled == null ? Double.NaN : sampled.count();
  }

  private double oldestSeconds() {
    OpenLetters sampled = open;
    return sampled == null ? Double.NaN : seconds(sampled.oldest());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
