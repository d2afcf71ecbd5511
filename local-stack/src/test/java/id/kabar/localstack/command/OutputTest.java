package id.kabar.localstack.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutputTest {

  private static final Instant CLICK = Instant.parse("2026-11-30T10:00:00Z");

  @Test
  void timelineCountsFromTheMomentTheCustomerPays() {
    Timeline timeline =
        new Timeline(
            "order-1",
            CLICK.minusMillis(30),
            CLICK.minusMillis(10),
            CLICK,
            CLICK.plusMillis(9),
            Optional.of(CLICK.plusMillis(12)),
            Optional.of(CLICK.plusNanos(45_600_000)),
            1);

    assertThat(timeline.line().replaceAll(" +", " "))
        .isEqualTo("order-1 20.0 ms +9.0 ms +12.0 ms +45.6 ms");
  }

  @Test
  void orderWithoutAnEmailIsSeenAtOnceAndSoIsOneWithTwo() {
    assertThat(timeline(Optional.empty(), 0).line()).endsWith("no email");
    assertThat(timeline(Optional.of(CLICK), 2).line()).endsWith("2 emails!");
  }

  @Test
  void everyStyleEndsAfterItsText() {
    for (Style style : Style.values()) {
      assertThat(style.on("word")).startsWith("\u001b[").endsWith("mword\u001b[0m");
    }
  }

  @Test
  void percentilesAreOfTheNearestRank() {
    List<Duration> hundred = IntStream.rangeClosed(1, 100).mapToObj(Duration::ofMillis).toList();

    assertThat(Summary.percentile(hundred, 50)).hasMillis(50);
    assertThat(Summary.percentile(hundred, 99)).hasMillis(99);
    assertThat(Summary.percentile(List.of(Duration.ofMillis(7)), 99)).hasMillis(7);
  }

  @Test
  void addressesAreMaskedDownToTheirDomain() {
    assertThat(
            Topic.masked(
                "{\"customerEmail\":\"andi.wijaya+1@example.co.id\",\"to\":\"Budi <b@x.id>\"}"))
        .isEqualTo("{\"customerEmail\":\"***@example.co.id\",\"to\":\"Budi <***@x.id>\"}");
  }

  @Test
  void whatIsNoAddressStaysAsItIs() {
    assertThat(Topic.masked("{\"totalAmount\":150000}")).isEqualTo("{\"totalAmount\":150000}");
  }

  @Test
  void tablesColumnsAreAsWideAsTheirWidestValue() {
    assertThat(SqlPrompt.table(List.of(List.of("id", "status"), List.of("1000", "PAID"))))
        .containsExactly("id   | status", "-------------", "1000 | PAID");
  }

  private static Timeline timeline(Optional<Instant> emailed, int emails) {
    return new Timeline("order-1", CLICK, CLICK, CLICK, CLICK, Optional.empty(), emailed, emails);
  }
}
