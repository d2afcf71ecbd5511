package id.kabar.notification.deadletter;

import id.kabar.notification.email.ProviderTrust;
import id.kabar.notification.ledger.ProviderReports;
import id.kabar.notification.ledger.ProviderReports.Distrust;
import id.kabar.notification.ledger.ProviderReports.Opinion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Whether the provider takes emails again, as far as all instances know. One's own trust proves
 * little: an instance without partitions, or one just started, has seen nothing.
 */
@Component
class SharedTrust {

  private static final Logger log = LoggerFactory.getLogger(SharedTrust.class);

  /** Some reports may be late; those of a dead instance end soon. */
  private static final Duration VALID = Duration.ofSeconds(5);

  /** How many letters the provider can be trusted with. */
  enum Level {
    /** Many: it accepts, and nobody says otherwise. */
    TRUSTED,
    /** One, to find out. */
    PROBE,
    /** None: somebody's breaker is open, it asked for a pause, or an operator did. */
    SPARED
  }

  private final ProviderTrust trust;
  private final ProviderReports reports;
  private volatile @Nullable Opinion others;
  private boolean reported;

  SharedTrust(ProviderTrust trust, ProviderReports reports) {
    this.trust = trust;
    this.reports = reports;
  }

  Level now() {
    Distrust own = own();
    Opinion opinion = others;
    if (own == Distrust.SPARED || (opinion != null && opinion.spared())) {
      return Level.SPARED;
    }
    return own == null && opinion != null && !opinion.doubted() && opinion.provedLately()
        ? Level.TRUSTED
        : Level.PROBE;
  }

  private @Nullable Distrust own() {
    return switch (trust.now().gate()) {
      case SHUT -> Distrust.SPARED;
      case PROBE -> Distrust.PROBE;
      case OPEN -> null;
    };
  }

  /** Tells the other instances and asks them. */
  @Scheduled(fixedDelayString = "${notification.redrive.report-every:1s}")
  void exchange() {
    try {
      Distrust own = own();
      if (own != null) {
        reports.report(own);
      } else if (reported) {
        reports.withdraw();
      }
      reported = own != null;
      others = reports.opinion(VALID);
    } catch (DataAccessException e) {
      others = null; // better no opinion than an old one
      log.debug("Cannot ask what the others think of the provider", e);
    }
  }
}
