package id.kabar.localstack.soak;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is called growth, and what is not: 120 readings of half an hour. */
class TrendTest {

  private static final int READINGS = 120;

  private final Random random = new Random(7);

  @Test
  void leakIsCaught() {
    assertThat(of(Measure.HEAP, minute -> 40 + 0.05 * minute).verdict())
        .isEqualTo(Trend.Verdict.GROWS);
  }

  @Test
  void leakIsCaughtBehindNoise() {
    Trend trend = of(Measure.MEMORY, minute -> 300 + 1.5 * minute + noise(6));

    assertThat(trend.verdict()).isEqualTo(Trend.Verdict.GROWS);
    assertThat(trend.perHour()).isBetween(70.0, 110.0);
  }

  @Test
  void leakOfHandlesIsCaughtWhenItIsOneInAMinute() {
    assertThat(of(Measure.HANDLES, minute -> Math.floor(100 + minute)).verdict())
        .isEqualTo(Trend.Verdict.GROWS);
  }

  @Test
  void noiseIsFlat() {
    assertThat(of(Measure.MEMORY, _ -> 300 + noise(30)).verdict()).isEqualTo(Trend.Verdict.FLAT);
    assertThat(of(Measure.THREADS, _ -> 40 + noise(5)).verdict()).isEqualTo(Trend.Verdict.FLAT);
  }

  @Test
  void warmUpIsNotJudged() {
    Trend trend = of(Measure.MEMORY, minute -> 300 - 200 * Math.exp(-minute / 2));

    assertThat(trend.verdict()).isEqualTo(Trend.Verdict.FLAT);
    assertThat(trend.early()).isBetween(297.0, 300.0);
  }

  @Test
  void peaksAndWhatVacuumClearsAgainAreFlat() {
    assertThat(of(Measure.MEMORY, minute -> (int) minute % 10 == 9 ? 900 : 300).verdict())
        .isEqualTo(Trend.Verdict.FLAT);
    assertThat(of(Measure.DEAD, minute -> minute % 5 * 5_000).verdict())
        .isEqualTo(Trend.Verdict.FLAT);
  }

  @Test
  void whatShrinksDoesNotGrow() {
    assertThat(of(Measure.HEAP, minute -> 80 - minute).verdict()).isEqualTo(Trend.Verdict.FLAT);
  }

  @Test
  void fewReadingsTellNothing() {
    Trend trend = Trend.of(readings("it", Measure.HEAP, 6, _ -> 40), false);

    assertThat(trend.verdict()).isEqualTo(Trend.Verdict.UNKNOWN);
    assertThat(trend.isBad()).isTrue();
  }

  @Test
  void rowsThatAreKeptMayGrowAndWhatOneCostsMayNot() {
    List<Reading> readings =
        List.of(
                readings("orders.orders", Measure.SIZE, READINGS, minute -> 500 * minute),
                readings("orders.orders", Measure.ROW, READINGS, minute -> 300 + 5 * minute),
                readings("orders.outbox_event", Measure.SIZE, READINGS, minute -> 500 * minute),
                readings("orders.outbox_event", Measure.ROW, READINGS, minute -> 1e6 * minute))
            .stream()
            .flatMap(List::stream)
            .toList();

    assertThat(new SoakReport("", readings).trends())
        .map(it -> it.subject() + " " + it.measure() + " " + it.verdict())
        .containsExactly(
            "orders.orders SIZE KEPT", "orders.orders ROW GROWS", "orders.outbox_event SIZE GROWS");
  }

  @Test
  void reportNamesWhatGrowsAndCsvHasEveryReading(@TempDir Path folder) throws IOException {
    List<Reading> readings =
        List.of(
                readings("orders.outbox_event", Measure.SIZE, READINGS, minute -> 500 * minute),
                readings("orders.outbox_audit", Measure.SIZE, READINGS, _ -> 8))
            .stream()
            .flatMap(List::stream)
            .toList();

    assertThat(new SoakReport("30 minutes.", readings).write(folder))
        .singleElement(as(STRING))
        .contains("orders.outbox_event", "per hour");
    assertThat(folder.resolve("soak.md"))
        .content()
        .contains("30 minutes.", "| orders.outbox_event |", "**grows**", "1 more figures")
        .doesNotContain("outbox_audit");
    assertThat(folder.resolve("soak.csv")).content().hasLineCount(1 + 2 * READINGS);
  }

  @Test
  void heapIsReadFromTheTotalOfItsHistogram() {
    List<String> histogram =
        List.of(
            "   1:         20000        1600000  [B (java.base@25)",
            "2000:             1             16  id.kabar.Total",
            "Total        650123       43210000");

    assertThat(Heaps.total(histogram)).hasValue(43_210_000);
    assertThat(Heaps.total(List.of("4711: No such process"))).isEmpty();
  }

  private interface Course {
    double at(double minute);
  }

  private static Trend of(Measure measure, Course course) {
    return Trend.of(readings("it", measure, READINGS, course), false);
  }

  private static List<Reading> readings(String subject, Measure measure, int count, Course course) {
    return IntStream.range(0, count)
        .mapToObj(
            number ->
                new Reading(
                    Duration.ofSeconds(15L * number), subject, measure, course.at(number / 4.0)))
        .toList();
  }

  private double noise(double width) {
    return random.nextGaussian() * width;
  }
}
