package id.kabar.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes one run into one folder: {@code report.md}, {@code results.csv} with every single value,
 * and a chart for each load. What was refused or not measured is said in the place of its figures.
 */
public final class Report {

  /** What the report says of a load. */
  public record Section(String workload, String description, List<String> arms, String chart) {}

  private final Path folder;
  private final Map<String, String> circumstances;
  private final List<Section> sections;
  private final List<Target> targets;

  /**
   * @param circumstances machine, versions, settings, time: by name, in the order of the report
   */
  public Report(
      Path folder,
      Map<String, String> circumstances,
      List<Section> sections,
      List<Target> targets) {
    this.folder = folder;
    this.circumstances = circumstances;
    this.sections = sections;
    this.targets = targets;
  }

  /** Writes all that is known so far; called after every sample, it survives a run cut short. */
  public void write(Results results) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.csv"), csv(results));
    StringBuilder text = new StringBuilder("# Benchmarks\n\n");
    text.append(
        """
        One run, the arms of each load taken in turn; every figure is the median of the repeats, with [least–most].
        A repeat in which an event was lost, or came out of order within its key, is refused and has no figures.

        | | |
        |---|---|
        """);
    circumstances.forEach((name, value) -> text.append("| %s | %s |\n".formatted(name, value)));
    text.append("\n## Targets\n\n| asked for | arm | measured | |\n|---|---|---|---|\n");
    targets.forEach(target -> text.append(target.row(results)));
    for (Section section : sections) {
      section(text, section, results);
    }
    Files.writeString(folder.resolve("report.md"), text.toString());
  }

  private void section(StringBuilder text, Section section, Results results) throws IOException {
    String workload = section.workload();
    text.append("\n## %s\n\n%s\n\n".formatted(workload, section.description()));
    if (results.of(workload).isEmpty()) {
      text.append("Not measured in this run.\n");
      return;
    }
    List<String> figures = new ArrayList<>(results.figures(workload));
    text.append("| | ").append(String.join(" | ", figures)).append(" | times measured |\n|---|");
    text.append("---|".repeat(figures.size() + 1)).append('\n');
    for (String arm : section.arms()) {
      text.append(row(results, workload, arm, figures));
    }
    for (String arm : section.arms()) {
      results
          .refusals(workload, arm)
          .forEach(refusal -> text.append("\nRefused: %s, %s.\n".formatted(arm, refusal)));
    }
    BarChart chart = new BarChart(workload + ": " + section.chart());
    for (String arm : section.arms()) {
      chart.add(arm, results.spread(workload, arm, section.chart()));
    }
    if (!chart.isEmpty()) {
      Files.writeString(folder.resolve(workload + ".svg"), chart.svg());
      text.append("\n![%s](%s.svg)\n".formatted(section.chart(), workload));
    }
  }

  private static String row(Results results, String workload, String arm, List<String> figures) {
    if (!results.arms(workload).contains(arm)) {
      return "| %s |%s not measured |\n".formatted(arm, " |".repeat(figures.size()));
    }
    StringBuilder row = new StringBuilder("| ").append(arm).append(" |");
    int repeats = 0;
    for (String figure : figures) {
      Results.Spread spread = results.spread(workload, arm, figure);
      repeats = Math.max(repeats, spread.repeats());
      row.append(' ').append(Numbers.text(spread.median()));
      if (spread.repeats() > 1 && spread.least() < spread.most()) {
        row.append(" [%s–%s]".formatted(Numbers.text(spread.least()), Numbers.text(spread.most())));
      }
      row.append(" |");
    }
    return row.append(" %d |\n".formatted(repeats)).toString();
  }

  private static String csv(Results results) {
    StringBuilder csv = new StringBuilder("workload,arm,repeat,figure,value,refused\n");
    for (Results.Entry entry : results.entries()) {
      Sample sample = entry.sample();
      String refused = String.join("; ", sample.refusals()).replace("\"", "'");
      sample
          .figures()
          .forEach(
              (figure, value) ->
                  csv.append(
                      String.format(
                          Locale.ROOT,
                          "%s,%s,%d,\"%s\",%s,\"%s\"%n",
                          entry.workload(),
                          entry.arm(),
                          entry.repeat(),
                          figure,
                          value,
                          refused)));
    }
    return csv.toString();
  }
}
