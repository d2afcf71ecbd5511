package id.kabar.benchmarks;

import id.kabar.benchmarks.outbox.OutboxLoads;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All loads, in the order of the report. */
final class Workloads {

  /** What a run without {@code --full} measures. */
  static final Set<String> QUICK = Set.of("burn-down", "steady-500", "hot-keys");

  private Workloads() {}

  static List<Workload> all() {
    return new ArrayList<>(OutboxLoads.all());
  }
}
