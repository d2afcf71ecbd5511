package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A backlog that waits is published as fast as it goes. The relays are warm, and frozen while the
 * backlog is made; the clock runs from their thaw to the broker's last append.
 */
final class BurnDown implements Workload {

  /**
   * One arm of it.
   *
   * @param events that wait, before the arm's own limit
   */
  record Case(Arm arm, Arm.Size size, Shape shape, int events) {}

  private final String name;
  private final String description;
  private final Map<String, Case> cases = new LinkedHashMap<>();

  BurnDown(String name, String description) {
    this.name = name;
    this.description = description;
  }

  BurnDown with(String label, Case one) {
    cases.put(label, one);
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  @Override
  public List<String> arms() {
    return new ArrayList<>(cases.keySet());
  }

  @Override
  public String chart() {
    return "events/s";
  }

  @Override
  public int seconds(Plan plan) {
    return 30;
  }

  @Override
  public Sample run(String label, Bench bench) throws Exception {
    Case one = Objects.requireNonNull(cases.get(label));
    Arm arm = one.arm();
    int events = arm.events(bench.full(one.events(), one.events() / 2));
    try (Stage stage = Stage.set(bench, arm, one.shape(), one.size())) {
      stage.warm(Math.min(arm.warmUp(), 500_000 * 300 / one.shape().bytes()));
      return drain(stage, events);
    }
  }

  /** Has a warm stage publish so many events. */
  static Sample drain(Stage stage, int events) throws Exception {
    stage.awaitSettled();
    stage.freeze();
    stage.fill(events);
    Meter meter = stage.meter();
    long start = System.currentTimeMillis();
    stage.thaw();
    stage.ring();
    stage.awaitAll();
    stage.awaitSettled();
    meter.stop();
    double dead = stage.database().deadTuples(stage.arm().table().table());
    Delivery delivery = stage.delivery();
    double seconds = Math.max(1, delivery.lastAppended() - start) / 1000.0;
    double thousands = events / 1000.0;
    Sample sample =
        new Sample()
            .put("events/s", events / seconds)
            .put("events", events)
            .put(
                "CPU s per 1,000 (relay + PostgreSQL)",
                (meter.relaySeconds() + meter.postgresSeconds()) / thousands)
            .put("of it relay", meter.relaySeconds() / thousands)
            .put("Kafka", meter.kafkaSeconds() / thousands)
            .put("WAL bytes/event", meter.walBytes() / events)
            .put("dead tuples", dead)
            .put("statements per 1,000", meter.statements() / thousands)
            .put("repeats", delivery.repeats())
            .put("out of order", delivery.inversions());
    stage.judge(delivery, sample);
    return sample;
  }
}
