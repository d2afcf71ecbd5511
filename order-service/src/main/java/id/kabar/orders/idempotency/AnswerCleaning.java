package id.kabar.orders.idempotency;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;

/** Deletes forgotten answers, in batches that hold nobody up. */
@Component
class AnswerCleaning implements SchedulingConfigurer {

  private static final Logger log = LoggerFactory.getLogger(AnswerCleaning.class);
  private static final int MAX_BATCHES = 1000;

  private final StoredAnswers answers;
  private final IdempotencySettings settings;

  AnswerCleaning(StoredAnswers answers, IdempotencySettings settings) {
    this.answers = answers;
    this.settings = settings;
  }

  @Override
  public void configureTasks(ScheduledTaskRegistrar tasks) {
    tasks.addFixedDelayTask(this::clean, settings.cleanEvery());
  }

  void clean() {
    int total = 0;
    for (int batches = 0; batches < MAX_BATCHES; batches++) {
      int deleted = answers.clean();
      total += deleted;
      if (deleted < settings.cleanBatch()) {
        break;
      }
    }
    if (total > 0) {
      log.info("Deleted {} answers past their time", total);
    }
  }
}
