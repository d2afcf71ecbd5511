package id.kabar.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** All samples of one run. */
public final class Results {

  /**
   * One run of one arm.
   *
   * @param repeat from 1
   */
  public record Entry(String workload, String arm, int repeat, Sample sample) {}

  /** A figure's median over the repeats, and its range. */
  public record Spread(double median, double least, double most, int repeats) {}

  private final List<Entry> entries = new ArrayList<>();

  public synchronized void add(Entry entry) {
    entries.add(entry);
  }

  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  List<Entry> of(String workload) {
    return entries().stream().filter(e -> e.workload().equals(workload)).toList();
  }

  Set<String> arms(String workload) {
    Set<String> arms = new LinkedHashSet<>();
    of(workload).forEach(entry -> arms.add(entry.arm()));
    return arms;
  }

  Set<String> figures(String workload) {
    Set<String> figures = new LinkedHashSet<>();
    of(workload).forEach(entry -> figures.addAll(entry.sample().figures().keySet()));
    return figures;
  }

  List<String> refusals(String workload, String arm) {
    return of(workload).stream()
        .filter(entry -> entry.arm().equals(arm))
        .flatMap(e -> e.sample().refusals().stream().map(r -> "repeat " + e.repeat() + ": " + r))
        .toList();
  }

  /** Over the repeats that were not refused; NaN where there are none. */
  public Spread spread(String workload, String arm, String figure) {
    double[] values =
        of(workload).stream()
            .filter(entry -> entry.arm().equals(arm) && entry.sample().refusals().isEmpty())
            .filter(entry -> entry.sample().figures().containsKey(figure))
            .mapToDouble(entry -> entry.sample().figures().getOrDefault(figure, Double.NaN))
            .sorted()
            .toArray();
    if (values.length == 0) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN, 0);
    }
    return new Spread(median(values), values[0], values[values.length - 1], values.length);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
