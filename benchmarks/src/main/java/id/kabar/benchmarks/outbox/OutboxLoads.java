package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.outbox.BurnDown.Case;
import id.kabar.benchmarks.report.Target;
import java.util.List;
import java.util.stream.Stream;

/** The loads under which relays are compared. */
public final class OutboxLoads {

  private static final int BACKLOG = 200_000;

  private OutboxLoads() {}

  public static List<Workload> all() {
    return List.of(
        burnDown(),
        new Steady(
            500, tried(Arms.KABAR, Arms.KABAR_NO_BELL, Arms.DEBEZIUM, Arms.NAMASTACK, Arms.NAIVE)),
        new Steady(2_000, tried(Arms.KABAR, Arms.DEBEZIUM, Arms.NAMASTACK)),
        new PublishedRows(),
        new HeldSnapshot(),
        hotKeys(),
        payloads(),
        replicas(),
        backlog(),
        new Idle(),
        new DoorbellCost(),
        new Limits());
  }

  /** What the relay is to reach. */
  public static List<Target> targets() {
    String throughput = "events/s";
    String cpu = "CPU s per 1,000 (relay + PostgreSQL)";
    return List.of(
        Target.atLeast(1_000, "naive", "burn-down", "kabar", throughput),
        Target.atLeast(25, "namastack", "burn-down", "kabar", throughput),
        Target.atLeast(1.5, "debezium", "burn-down", "kabar", throughput),
        Target.atLeast(0.6, "row-locks", "burn-down", "kabar", throughput),
        Target.atMost(1, "debezium", "burn-down", "kabar", cpu),
        Target.atMost(0.5, "debezium", "steady-500", "kabar", "p50 ms"),
        Target.atMost(1, "debezium", "steady-500", "kabar", "p99 ms"),
        Target.atMost(0.5, "debezium", "steady-2000", "kabar", "p50 ms"),
        Target.atMost(1, "debezium", "steady-2000", "kabar", "p99 ms"),
        Target.atLeast(
            0.9, PublishedRows.NONE, "published-rows", PublishedRows.MANY, "burn-down events/s"),
        Target.atMost(1.1, PublishedRows.NONE, "published-rows", PublishedRows.MANY, "p50 ms"),
        Target.atLeast(
            0.9, HeldSnapshot.CALM, "held-snapshot", HeldSnapshot.HELD, "burn-down events/s"),
        Target.atMost(1.1, HeldSnapshot.CALM, "held-snapshot", HeldSnapshot.HELD, "p50 ms"),
        Target.atMost(0, "hot-keys", "kabar", "out of order"),
        Target.atLeast(1, "kabar × 1", "replicas", "kabar × 2", throughput),
        Target.atLeast(1, "kabar × 1", "replicas", "kabar × 4", throughput),
        Target.atMost(5, "idle", "kabar", "queries/s"),
        Target.atMost(1, "idle", "kabar", "% of a core, relay"),
        Target.atLeast(0.95, DoorbellCost.SILENT, "doorbell-cost", DoorbellCost.BELL, "commits/s"));
  }

  /** The relay as it ships, not started. */
  public static JavaProcess relay(Bench bench, Database database, String topic) {
    return Arms.KABAR.relays(bench, database, topic, Arm.Size.USUAL).getFirst();
  }

  private static Workload burnDown() {
    BurnDown load =
        new BurnDown(
            "burn-down",
            """
            200,000 events of 300 B over 10,000 keys wait; each relay, one warm process of 512 MB heap, publishes them \
            as fast as it goes, from its thaw to the broker's last append. Slow ones get fewer events. \
            namastack-outbox and the naive relay have their own tables. Debezium's table is never cleaned; \
            row-locks keeps neither order nor archive.\
            """);
    tried(
            Arms.KABAR,
            Arms.KABAR_NO_PAYLOAD,
            Arms.DEBEZIUM,
            Arms.NAMASTACK,
            Arms.NAIVE,
            Arms.ROW_LOCKS)
        .forEach(arm -> load.with(arm.name(), new Case(arm, Arm.Size.USUAL, Shape.USUAL, BACKLOG)));
    return load;
  }

  /** These, and what somebody wants to try beside them. */
  private static List<Arm> tried(Arm... arms) {
    return Stream.concat(Stream.of(arms), Kabar.tries().stream()).toList();
  }

  private static Workload hotKeys() {
    Shape ten = new Shape(300, 10);
    return new BurnDown(
            "hot-keys",
            """
            100,000 events of 10 keys wait for four relay processes; "out of order" counts events whose first record \
            came after a later one of their key.\
            """)
        .with("kabar", new Case(Arms.KABAR, new Arm.Size(4, "512m"), ten, BACKLOG / 2))
        .with("row-locks", new Case(Arms.ROW_LOCKS, new Arm.Size(4, "512m"), ten, BACKLOG / 2));
  }

  private static Workload payloads() {
    BurnDown load =
        new BurnDown("payloads", "Burn-downs of larger events, of text that hardly compresses.");
    for (Arm arm : List.of(Arms.KABAR, Arms.DEBEZIUM)) {
      load.with(arm.name() + " 300 B", new Case(arm, Arm.Size.USUAL, Shape.USUAL, BACKLOG));
      load.with(
          arm.name() + " 2 KB", new Case(arm, Arm.Size.USUAL, new Shape(2_000, 10_000), 60_000));
      load.with(
          arm.name() + " 20 KB", new Case(arm, Arm.Size.USUAL, new Shape(20_000, 10_000), 8_000));
    }
    return load;
  }

  private static Workload replicas() {
    BurnDown load =
        new BurnDown("replicas", "The burn-down of 200,000 with several processes on these cores.");
    for (int replicas : new int[] {1, 2, 4, 8}) {
      load.with(
          "kabar × " + replicas,
          new Case(Arms.KABAR, new Arm.Size(replicas, "256m"), Shape.USUAL, BACKLOG));
    }
    return load;
  }

  private static Workload backlog() {
    BurnDown load = new BurnDown("backlog", "Burn-downs of other sizes, with a heap of 256 MB.");
    for (int events : new int[] {10_000, 100_000, 1_000_000}) {
      load.with(
          "kabar %d k".formatted(events / 1_000),
          new Case(Arms.KABAR, new Arm.Size(1, "256m"), Shape.USUAL, events));
    }
    return load;
  }
}
