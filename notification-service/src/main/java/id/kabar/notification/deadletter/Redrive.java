package id.kabar.notification.deadletter;

import id.kabar.notification.deadletter.SharedTrust.Level;
import id.kabar.notification.ledger.ReplayJob;
import id.kabar.notification.ledger.ReplayJobs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Sends again what an outage has left, once the provider is back. It looks at what there is, not at
 * what happens: a letter that arrives late, or was there before a restart, is found as well.
 */
@Component
class Redrive {

  private static final Logger log = LoggerFactory.getLogger(Redrive.class);

  private final ReplayJobs jobs;
  private final ReplayRules rules;
  private final SharedTrust trust;
  private final ReplayEngine engine;
  private final RedriveSettings settings;

  Redrive(
      ReplayJobs jobs,
      ReplayRules rules,
      SharedTrust trust,
      ReplayEngine engine,
      RedriveSettings settings) {
    this.jobs = jobs;
    this.rules = rules;
    this.trust = trust;
    this.engine = engine;
    this.settings = settings;
  }

  @Scheduled(fixedDelayString = "${notification.redrive.look-every:2s}")
  void look() {
    if (!settings.enabled() || trust.now() == Level.SPARED) {
      return;
    }
    try {
      int stranded =
          jobs.createRedrive(
              new ReplayJob.Request(
                  "notification-service",
                  null,
                  "left by an outage of the provider",
                  settings.rate()),
              rules.stranded());
      if (stranded > 0) {
        log.info("Sending {} dead letters again that an outage of the provider has left", stranded);
        engine.wake();
      }
    } catch (DataAccessException e) {
      log.debug("Cannot look for what an outage has left", e);
    }
  }
}
