package id.kabar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  private static final Report.Section LOAD =
      new Report.Section("load", "Something is done.", List.of("kabar", "rival"), "events/s");

  private static final List<Target> TARGETS =
      List.of(
          Target.atLeast(2, "rival", "load", "kabar", "events/s"),
          Target.atMost(100, "load", "kabar", "events/s"));

  @TempDir Path folder;
  private final Results results = new Results();

  @Test
  void figureIsTheMedianWithItsRange() throws IOException {
    measured("kabar", 300, 100, 200);

    assertThat(report()).contains("| kabar | 200 [100–300] | 3 |");
  }

  @Test
  void refusedRepeatHasNoFigureButAReason() throws IOException {
    measured("kabar", 300);
    results.add(
        new Results.Entry("load", "kabar", 2, sample(9_999).refuse("7 of 10 did not arrive")));

    assertThat(report())
        .contains("| kabar | 300 | 1 |", "Refused: kabar, repeat 2: 7 of 10 did not arrive.")
        .doesNotContain("9,999");
  }

  @Test
  void armThatWasNotMeasuredSaysSo() throws IOException {
    measured("kabar", 300);

    assertThat(report()).contains("| rival | | not measured |");
  }

  @Test
  void targetIsReachedMissedOrNotMeasured() throws IOException {
    measured("kabar", 300);

    assertThat(report())
        .contains("| load: events/s at least × 2 of rival | kabar | – | not measured |")
        .contains("| load: events/s at most 100 | kabar | 300 | **missed** |");

    measured("rival", 140);

    assertThat(report())
        .contains("| load: events/s at least × 2 of rival | kabar | × 2.14 | reached |");
  }

  @Test
  void everySingleValueIsInTheCsvFile() throws IOException {
    measured("kabar", 300, 100.5);
    report();

    assertThat(folder.resolve("results.csv"))
        .content()
        .contains("load,kabar,1,\"events/s\",300.0,", "load,kabar,2,\"events/s\",100.5,");
  }

  @Test
  void chartOfVeryDifferentArmsIsLogarithmicAndSaysSo() throws IOException {
    measured("kabar", 90_000);
    measured("rival", 60);
    report();

    assertThat(folder.resolve("load.svg"))
        .content()
        .startsWith("<svg ")
        .contains("load: events/s (logarithmic)", ">90,000<", ">60.0<");
  }

  private void measured(String arm, double... values) {
    for (int i = 0; i < values.length; i++) {
      results.add(new Results.Entry("load", arm, i + 1, sample(values[i])));
    }
  }

  private static Sample sample(double value) {
    return new Sample().put("events/s", value);
  }

  private String report() throws IOException {
    new Report(folder, Map.of("machine", "any"), List.of(LOAD), TARGETS).write(results);
    return Files.readString(folder.resolve("report.md"));
  }
}
