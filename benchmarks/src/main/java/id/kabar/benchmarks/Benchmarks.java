package id.kabar.benchmarks;

import id.kabar.benchmarks.report.Report;
import id.kabar.benchmarks.report.Results;
import id.kabar.benchmarks.report.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the chosen loads and arms in one run, and writes one report of it. */
@Command(
    name = "bench",
    description = "Measures Kabar and its rivals on this machine, and writes one report.",
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true)
final class Benchmarks implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--full",
      description = "The whole of each load, three times; without it a subset of five minutes.")
  private boolean full;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "NAME",
      description = "Only these loads; --list names them.")
  private List<String> workloads = List.of();

  @Option(
      names = "--arms",
      split = ",",
      paramLabel = "NAME",
      description = "Only these arms, where a load has them.")
  private List<String> arms = List.of();

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "How often each arm is measured (3; 1 without --full).")
  private @Nullable Integer repeats;

  @Option(
      names = "--steady",
      paramLabel = "SECONDS",
      description = "How long a steady load is kept up (60; 10 without --full).")
  private @Nullable Integer steadySeconds;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Where the report goes (benchmarks/target/run-TIME).")
  private @Nullable Path out;

  @Option(names = "--list", description = "Names the loads with their arms, and ends.")
  private boolean list;

  // Injected by picocli.
  @SuppressWarnings("NullAway.Init")
  private Benchmarks() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Benchmarks()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      Workloads.all()
          .forEach(w -> System.out.printf("%-20s %s%n", w.name(), String.join(" | ", w.arms())));
      return CommandLine.ExitCode.OK;
    }
    Path checkout = Circumstances.checkout();
    List<Workload> chosen = chosen();
    Bench.Length length = full ? Bench.Length.FULL : Bench.Length.QUICK;
    int rounds = repeats != null ? repeats : full ? 3 : 1;
    Duration steady = Duration.ofSeconds(steadySeconds != null ? steadySeconds : full ? 60 : 10);
    Path folder = out != null ? out : checkout.resolve("benchmarks/target/run-" + now());
    Files.createDirectories(folder);
    Results results = new Results();
    List<Report.Section> sections =
        Workloads.all().stream()
            .map(w -> new Report.Section(w.name(), w.description(), w.arms(), w.chart()))
            .toList();
    announce(chosen, length, rounds, steady);
    boolean whole = true;
    Path logs = checkout.resolve("benchmarks/target/logs-" + now());
    try (Servers servers = new Servers(logs, checkout)) {
      servers.start();
      Map<String, String> circumstances = Circumstances.of(checkout, rounds, steady, servers);
      Report report = new Report(folder, circumstances, sections, Workloads.targets());
      for (Workload workload : chosen) {
        for (int repeat = 1; repeat <= rounds; repeat++) {
          for (String arm : inTurn(workload, repeat)) {
            Bench bench = new Bench(servers, checkout, length, repeat, steady);
            whole &= measure(workload, arm, bench, results);
            report.write(results);
          }
        }
      }
    }
    System.out.printf("Report: %s, logs: %s%n", folder.resolve("report.md"), logs);
    return whole ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
  }

  private static boolean measure(Workload workload, String arm, Bench bench, Results results)
      throws InterruptedException {
    long start = System.nanoTime();
    Sample sample;
    try {
      sample = workload.run(arm, bench);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) { // an arm that cannot do it must not cost the others their figures
      e.printStackTrace(System.err);
      sample = new Sample().refuse("failed with " + e);
    }
    results.add(new Results.Entry(workload.name(), arm, bench.repeat(), sample));
    System.out.printf(
        "%s %-18s %-20s #%d %s%s (%d s)%n",
        LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("HH:mm:ss")),
        workload.name(),
        arm,
        bench.repeat(),
        sample.figures(),
        sample.refusals().isEmpty() ? "" : " REFUSED " + sample.refusals(),
        Duration.ofNanos(System.nanoTime() - start).toSeconds());
    return sample.refusals().isEmpty();
  }

  /** Whoever goes first in one round goes last in the next. */
  private List<String> inTurn(Workload workload, int repeat) {
    List<String> all = new ArrayList<>(chosenArms(workload));
    Collections.rotate(all, 1 - repeat);
    return all;
  }

  private List<String> chosenArms(Workload workload) {
    return workload.arms().stream().filter(arm -> arms.isEmpty() || arms.contains(arm)).toList();
  }

  private List<Workload> chosen() {
    List<String> unknown = new ArrayList<>(workloads);
    unknown.removeAll(Workloads.all().stream().map(Workload::name).toList());
    if (!unknown.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "There is no load '%s'. --list names them.".formatted(unknown.getFirst()));
    }
    Set<String> defaults = full ? Set.of() : Workloads.QUICK;
    return Workloads.all().stream()
        .filter(
            w ->
                workloads.isEmpty()
                    ? defaults.isEmpty() || defaults.contains(w.name())
                    : workloads.contains(w.name()))
        .filter(w -> !chosenArms(w).isEmpty())
        .toList();
  }

  private void announce(List<Workload> chosen, Bench.Length length, int rounds, Duration steady) {
    int seconds = 15;
    for (Workload workload : chosen) {
      int each = workload.seconds(new Workload.Plan(length, steady));
      seconds += rounds * chosenArms(workload).size() * each;
    }
    System.out.printf(
        "Measuring %s, about %d min. Nothing else should run on this machine.%n",
        String.join(", ", chosen.stream().map(Workload::name).toList()), (seconds + 59) / 60);
  }

  private static String now() {
    return LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
  }
}
