package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Nothing is written: what does a relay do all day? */
final class Idle implements Workload {

  private static final Map<String, Arm> RIVALS =
      Map.of("debezium", Arms.DEBEZIUM, "namastack", Arms.NAMASTACK, "naive", Arms.NAIVE);

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String description() {
    return "Nothing is written, after a warm-up and 10 s of rest; per relay process, for 30 s.";
  }

  @Override
  public List<String> arms() {
    return List.of("kabar", "kabar 4 replicas", "debezium", "namastack", "naive");
  }

  @Override
  public String chart() {
    return "queries/s";
  }

  @Override
  public int seconds(Plan plan) {
    return 58;
  }

  @Override
  public Sample run(String label, Bench bench) throws Exception {
    Arm arm = RIVALS.getOrDefault(label, Arms.KABAR);
    int replicas = label.endsWith("4 replicas") ? 4 : 1;
    try (Stage stage = Stage.set(bench, arm, Shape.USUAL, new Arm.Size(replicas, "512m"))) {
      stage.warm(arm.warmUp());
      TimeUnit.SECONDS.sleep(10);
      Meter meter = stage.meter();
      Duration length = Duration.ofSeconds(30);
      TimeUnit.NANOSECONDS.sleep(length.toNanos());
      meter.stop();
      double seconds = length.toSeconds();
      return new Sample()
          .put("queries/s", meter.queries() / seconds / replicas)
          .put("with begin and end", meter.statements() / seconds / replicas)
          .put("% of a core, relay", 100 * meter.relaySeconds() / seconds / replicas)
          .put("% of a core, PostgreSQL", 100 * meter.postgresSeconds() / seconds / replicas)
          .put("WAL bytes/s", meter.walBytes() / seconds / replicas);
    }
  }
}
