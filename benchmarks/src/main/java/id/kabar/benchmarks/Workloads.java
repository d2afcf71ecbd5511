package id.kabar.benchmarks;

import id.kabar.benchmarks.emails.Emails;
import id.kabar.benchmarks.outbox.OutboxLoads;
import id.kabar.benchmarks.payments.PayCost;
import id.kabar.benchmarks.payments.Pipeline;
import id.kabar.benchmarks.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All loads, in the order of the report. */
final class Workloads {

  /** What a run without {@code --full} measures. */
  static final Set<String> QUICK = Set.of("burn-down", "steady-500", "hot-keys");

  private Workloads() {}

  /** What Kabar is to reach, as ratios within the run where there is somebody to compare with. */
  static List<Target> targets() {
    List<Target> all = new ArrayList<>(OutboxLoads.targets());
    all.add(PayCost.target());
    return all;
  }

  static List<Workload> all() {
    List<Workload> all = new ArrayList<>(OutboxLoads.all());
    all.add(new PayCost());
    all.add(new Pipeline());
    all.addAll(Emails.all());
    return all;
  }
}
