package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import java.time.Duration;
import java.util.List;

/** Millions of events were published before: does anybody notice? */
final class PublishedRows implements Workload {

  static final String NONE = "kabar none before";
  static final String MANY = "kabar 5 M before";
  private static final int RATE = 500;
  private static final int BACKLOG = 200_000;

  @Override
  public String name() {
    return "published-rows";
  }

  @Override
  public String description() {
    return """
    5,000,000 published events of 300 B are in the archive (500,000 in a quick run), then 500 events/s for 20 s, then a \
    burn-down of 200,000.\
    """;
  }

  @Override
  public List<String> arms() {
    return List.of(NONE, MANY);
  }

  @Override
  public String chart() {
    return "burn-down events/s";
  }

  @Override
  public int seconds(Plan plan) {
    return plan.length() == Bench.Length.FULL ? 75 : 55;
  }

  @Override
  public Sample run(String arm, Bench bench) throws Exception {
    try (Stage stage = Stage.set(bench, Arms.KABAR, Shape.USUAL, Arm.Size.USUAL)) {
      if (arm.equals(MANY)) {
        archive(stage, bench.full(5_000_000, 500_000));
      }
      stage.warm(Arms.KABAR.warmUp());
      Sample sample = Steady.measure(stage, RATE, Duration.ofSeconds(3), Duration.ofSeconds(20));
      Sample drained = BurnDown.drain(stage, BACKLOG);
      sample.put("burn-down events/s", drained.figures().getOrDefault("events/s", Double.NaN));
      drained.refusals().forEach(sample::refuse);
      return sample;
    }
  }

  private static void archive(Stage stage, int rows) throws Exception {
    stage.database().execute("select outbox_archive_extend(2)");
    stage
        .database()
        .execute(
            """
            insert into outbox_archive (id, position, aggregate_type, aggregate_id, event_type, payload, headers,
              created_at, partition, "offset")
            select gen_random_uuid(), n, 'Order', 'order-' || n %% 100000, 'OrderPaid',
              ('{"pad":"' || repeat('x', 290) || '"}')::json, '{}', now(), n %% 3, n
            from generate_series(1, %d) n
            """
                .formatted(rows));
    stage.database().execute("vacuum analyze outbox_archive");
    stage.database().execute("checkpoint");
  }
}
