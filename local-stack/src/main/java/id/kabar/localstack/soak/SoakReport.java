package id.kabar.localstack.soak;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What a soak has shown: all readings as CSV, and what becomes of each figure as Markdown. */
final class SoakReport {

  /** Rows that stay until their retention ends, so that these tables grow with the orders. */
  private static final Pattern KEEPS_ROWS =
      Pattern.compile(
          "orders\\.(orders|idempotent_answer|outbox_archive.*)|notifications\\.processed_event");

  /** The stub keeps every email's key: it is the memory of the provider. */
  private static final String REMEMBERS_ALL = "email-stub";

  private static final String METHOD =
      """
      The first third, at most 10 minutes, is warm-up and is not judged. A figure *grows* if the median of the slopes between all
      pairs of later readings (Theil and Sen) makes more than its allowance, and most pairs rise (Kendall's tau over 0.4). Memory is
      private memory, after a full collection that each reading asks for; PostgreSQL's is that of all its processes, without its
      buffers. *Kept* is what grows because it is there for it: rows that stay until their retention ends (orders, answers to
      repeated requests, archive, ledger of emails), and the stub's memory of keys. What such a row costs is judged instead.

      | | figure | after warm-up | at the end | per hour | |
      |---|---|---|---|---|---|
      """;

  private final String circumstances;
  private final List<Reading> readings;

  SoakReport(String circumstances, List<Reading> readings) {
    this.circumstances = circumstances;
    this.readings = List.copyOf(readings);
  }

  /** Returns what is not flat, a sentence each. */
  List<String> write(Path folder) throws IOException {
    List<Trend> trends = trends();
    StringBuilder report = new StringBuilder("# Soak\n\n%s\n\n%s".formatted(circumstances, METHOD));
    trends.stream().filter(this::moves).map(SoakReport::row).forEach(report::append);
    report.append(
        "%n%d more figures of tables were the same in all readings.%n"
            .formatted(trends.stream().filter(trend -> !moves(trend)).count()));
    Files.writeString(folder.resolve("soak.md"), report);
    StringBuilder csv = new StringBuilder("seconds,subject,figure,value\n");
    for (Reading reading : readings) {
      csv.append(
          String.format(
              Locale.ROOT,
              "%.1f,%s,\"%s\",%.3f%n",
              reading.at().toMillis() / 1e3,
              reading.subject(),
              reading.measure().title(),
              reading.value()));
    }
    Files.writeString(folder.resolve("soak.csv"), csv);
    return trends.stream().filter(Trend::isBad).map(SoakReport::sentence).toList();
  }

  /** A table that nobody writes to needs no row of the report. */
  private boolean moves(Trend trend) {
    return !trend.subject().contains(".")
        || readings.stream()
                .filter(
                    it -> it.subject().equals(trend.subject()) && it.measure() == trend.measure())
                .mapToDouble(Reading::value)
                .distinct()
                .count()
            > 1;
  }

  List<Trend> trends() {
    List<Trend> trends = new ArrayList<>();
    readings.stream()
        .collect(groupingBy(it -> it.subject() + " " + it.measure(), LinkedHashMap::new, toList()))
        .values()
        .forEach(
            figure -> {
              Reading any = figure.getFirst();
              boolean keepsRows = KEEPS_ROWS.matcher(any.subject()).matches();
              if (any.measure() != Measure.ROW || keepsRows) {
                trends.add(Trend.of(figure, isKept(any.subject(), any.measure(), keepsRows)));
              }
            });
    return trends;
  }

  private static boolean isKept(String subject, Measure measure, boolean keepsRows) {
    return switch (measure) {
      case SIZE, DEAD -> keepsRows; // PostgreSQL cleans up when a fifth of the rows is dead
      case MEMORY, HEAP -> subject.equals(REMEMBERS_ALL);
      case HANDLES, THREADS, ROW -> false;
    };
  }

  private static String row(Trend trend) {
    String verdict =
        switch (trend.verdict()) {
          case FLAT -> "flat";
          case GROWS -> "**grows**";
          case KEPT -> "kept";
          case UNKNOWN -> "**too few readings**";
        };
    return String.format(
        Locale.ROOT,
        "| %s | %s | %,.1f | %,.1f | %+,.1f | %s |%n",
        trend.subject(),
        trend.measure().title(),
        trend.early(),
        trend.late(),
        trend.perHour(),
        verdict);
  }

  private static String sentence(Trend trend) {
    return trend.verdict() == Trend.Verdict.UNKNOWN
        ? "%s, %s: too few readings".formatted(trend.subject(), trend.measure().title())
        : String.format(
            Locale.ROOT,
            "%s, %s: from %,.1f to %,.1f, %+,.1f per hour",
            trend.subject(),
            trend.measure().title(),
            trend.early(),
            trend.late(),
            trend.perHour());
  }
}
