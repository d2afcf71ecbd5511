package id.kabar.localstack.chaos;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.chaos.ChaosRun.Access;
import id.kabar.localstack.chaos.ChaosRun.Options;
import id.kabar.localstack.soak.Watch;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * One run in which nothing is broken: customers buy at a steady rate while it is watched what the
 * stack takes; then the history judges as it does after a chaos run.
 */
public final class SoakRun {

  private final LocalStack stack;
  private final Options options;
  private final Consumer<String> live;
  private final Notes notes = new Notes();

  /**
   * How it ended.
   *
   * @param growing what grew, or could not be judged, a sentence each
   */
  public record Report(List<String> growing, ChaosRun.Report history) {

    public boolean isClean() {
      return growing.isEmpty() && history.isClean();
    }
  }

  /**
   * @param stack new; it is started and stopped here
   * @param options the seed decides how customers behave; no fault is injected
   */
  public SoakRun(LocalStack stack, Options options, Consumer<String> live) {
    this.stack = stack;
    this.options = options;
    this.live = live;
  }

  public Report run(Access access) throws InterruptedException, IOException {
    RunFolder.claim(stack);
    try (stack) {
      stack.start();
      stack.scale(Service.NOTIFICATION_SERVICE, Schedule.USUAL);
      return soakAndJudge(access);
    }
  }

  private Report soakAndJudge(Access access) throws InterruptedException, IOException {
    Ending ending = new Ending(stack, access, notes, live);
    Watch watch = new Watch(stack);
    Instant begun = Instant.now();
    Instant ended;
    Duration settled;
    try (Sampler _ = new Sampler(stack.bootstrapServers(), notes)) {
      try (Customers _ =
          new Customers(
              new Till(stack.orders(), notes),
              options.seed(),
              options.customers(),
              options.perSecond())) {
        watch.watch(options.length());
      }
      ended = Instant.now();
      settled = ending.settle(ended);
    }
    ChaosRun.Report history = ending.judge(options.seed(), begun, ended, settled, List.of());
    return new Report(watch.report(stack.home(), circumstances(history)), history);
  }

  private String circumstances(ChaosRun.Report history) {
    return """
        %.0f minutes, %,d orders, %,d of them paid (%.0f a second were wished for), %d relays and %d consumers, %d processors."""
        .formatted(
            options.length().toSeconds() / 60.0,
            history.verdict().figures().orders(),
            history.verdict().figures().payments(),
            options.perSecond(),
            Schedule.USUAL,
            Schedule.USUAL,
            Runtime.getRuntime().availableProcessors());
  }
}
