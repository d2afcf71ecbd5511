package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** A transaction elsewhere keeps its snapshot: nothing that the relay deletes can be cleaned. */
final class HeldSnapshot implements Workload {

  private static final int RATE = 1_000;
  private static final int BACKLOG = 100_000;
  static final String HELD = "kabar snapshot held";
  static final String CALM = "kabar none held";

  @Override
  public String name() {
    return "held-snapshot";
  }

  @Override
  public String description() {
    return """
    1,000 events/s for 3 minutes while a REPEATABLE READ transaction holds a snapshot taken before; latency of \
    the last third, when there is most to trip over, and then, the snapshot still held, a burn-down of 100,000.\
    """;
  }

  @Override
  public List<String> arms() {
    return List.of(CALM, HELD);
  }

  @Override
  public String chart() {
    return "p50 ms";
  }

  @Override
  public int seconds(Plan plan) {
    return plan.length() == Bench.Length.FULL ? 220 : 75;
  }

  @Override
  public Sample run(String arm, Bench bench) throws Exception {
    try (Stage stage = Stage.set(bench, Arms.KABAR, Shape.USUAL, Arm.Size.USUAL)) {
      stage.warm(Arms.KABAR.warmUp());
      stage.awaitSettled();
      try (Connection elsewhere = stage.database().server().connect("orders");
          Statement statement = elsewhere.createStatement()) {
        if (arm.equals(HELD)) {
          elsewhere.setAutoCommit(false);
          elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          statement.execute("select count(*) from outbox_event");
        }
        return measure(stage, Duration.ofSeconds(bench.full(180, 45)));
      }
    }
  }

  private static Sample measure(Stage stage, Duration length) throws Exception {
    Writers writers = Writers.write(stage, RATE, length);
    stage.awaitAll();
    double dead = stage.database().deadTuples("outbox_event");
    Delivery delivery = stage.delivery();
    Sample sample = writers.latencies(delivery, 2 / 3.0, 1).into(new Sample());
    sample.put("dead tuples", dead);
    stage.judge(delivery, sample);
    Sample drained = BurnDown.drain(stage, BACKLOG);
    sample.put("burn-down events/s", drained.figures().getOrDefault("events/s", Double.NaN));
    drained.refusals().forEach(sample::refuse);
    return sample;
  }
}
