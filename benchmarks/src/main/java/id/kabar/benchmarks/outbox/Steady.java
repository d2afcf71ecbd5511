package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Events at a fixed rate, one per transaction: how long each takes from commit to append. */
final class Steady implements Workload {

  private static final Duration RUN_IN = Duration.ofSeconds(5);

  private final int perSecond;
  private final Map<String, Arm> arms = new TreeMap<>();
  private final List<Arm> order;

  Steady(int perSecond, List<Arm> arms) {
    this.perSecond = perSecond;
    this.order = arms;
    arms.forEach(arm -> this.arms.put(arm.name(), arm));
  }

  @Override
  public String name() {
    return "steady-" + perSecond;
  }

  @Override
  public String description() {
    return """
    %,d events/s of 300 B, open loop, one per transaction, over 10,000 keys; the first %d s are not counted. \
    Latency is from the commit's return to the broker's append (whole milliseconds, so half of one is added). \
    The naive relay gets a tenth of the rate: more, it can not.\
    """
        .formatted(perSecond, RUN_IN.toSeconds());
  }

  @Override
  public List<String> arms() {
    return order.stream().map(Arm::name).toList();
  }

  @Override
  public String chart() {
    return "p50 ms";
  }

  @Override
  public int seconds(Plan plan) {
    return (int) plan.steady().plus(RUN_IN).toSeconds() + 18;
  }

  @Override
  public Sample run(String label, Bench bench) throws Exception {
    Arm arm = Objects.requireNonNull(arms.get(label));
    int rate = arm.rate(perSecond);
    try (Stage stage = Stage.set(bench, arm, Shape.USUAL, Arm.Size.USUAL)) {
      stage.warm(arm.warmUp());
      return measure(stage, rate, RUN_IN, bench.steady());
    }
  }

  /** Keeps up the rate on a warm stage, and tells latency and cost. */
  static Sample measure(Stage stage, int rate, Duration runIn, Duration length) throws Exception {
    stage.awaitSettled();
    if (!runIn.isZero()) {
      Writers.write(stage, rate, runIn);
    }
    Meter meter = stage.meter();
    Writers writers = Writers.write(stage, rate, length);
    stage.awaitAll();
    meter.stop();
    Delivery delivery = stage.delivery();
    double thousands = rate * length.toSeconds() / 1000.0;
    Sample sample = writers.latencies(delivery, 0, 1).into(new Sample());
    sample
        .put("written/s", writers.achieved())
        .put("relay CPU s per 1,000", meter.relaySeconds() / thousands)
        .put("PostgreSQL, writers included", meter.postgresSeconds() / thousands)
        .put("statements per 1,000", meter.statements() / thousands)
        .put("repeats", delivery.repeats());
    stage.judge(delivery, sample);
    return sample;
  }
}
