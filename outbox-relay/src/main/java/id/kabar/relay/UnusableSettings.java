package id.kabar.relay;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Settings with which this relay would not keep its promises, so it does not start. */
final class UnusableSettings extends IllegalArgumentException {

  private final String action;

  /**
   * @param problem names the setting and its value
   * @param action says what to change
   */
  UnusableSettings(String problem, String action) {
    super(problem + ": " + action);
    this.action = action;
  }

  /** Tells it at start-up in two sentences instead of a stack trace. */
  @Order(Ordered.HIGHEST_PRECEDENCE)
  static final class Analyzer extends AbstractFailureAnalyzer<UnusableSettings> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusableSettings cause) {
      return new FailureAnalysis(cause.getMessage(), cause.action, cause);
    }
  }
}
