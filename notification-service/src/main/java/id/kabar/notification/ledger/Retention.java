package id.kabar.notification.ledger;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Forgets, in small bites, what nobody can ask for any more. */
@Component
class Retention {

  private static final Logger log = LoggerFactory.getLogger(Retention.class);

  /** What one run may delete; the rest waits for the next. */
  private static final int BITES_PER_RUN = 100;

  private final ProcessedEvents events;
  private final DeadLetters letters;
  private final ReplayJobs jobs;

  Retention(ProcessedEvents events, DeadLetters letters, ReplayJobs jobs) {
    this.events = events;
    this.letters = letters;
    this.jobs = jobs;
  }

  @Scheduled(
      initialDelayString = "${notification.ledger.prune-every:10m}",
      fixedDelayString = "${notification.ledger.prune-every:10m}")
  void prune() {
    long forgotten = 0;
    for (int bite = 0; bite < BITES_PER_RUN; bite++) {
      int deleted = events.prune() + letters.prune() + jobs.prune();
      if (deleted == 0) {
        break;
      }
      forgotten += deleted;
    }
    if (forgotten > 0) {
      log.info("Forgot {} events, letters and replays past their retention", forgotten);
    }
  }
}
