package id.kabar.localstack.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutputTest {

  private static final Instant PAID = Instant.parse("2026-11-30T10:00:00Z");

  @Test
  void timelineCountsFromThePayment() {
    Timeline timeline =
        new Timeline(
            "order-1",
            PAID.minusMillis(30),
            PAID.minusMillis(10),
            PAID,
            Optional.of(PAID.plusMillis(12)),
            Optional.of(PAID.plusNanos(45_600_000)),
            1);

    assertThat(timeline.line().replaceAll(" +", " "))
        .isEqualTo("order-1 20.0 ms 10.0 ms +12.0 ms +45.6 ms");
  }

  @Test
  void orderWithoutAnEmailIsSeenAtOnceAndSoIsOneWithTwo() {
    Timeline none =
        new Timeline("order-1", PAID, PAID, PAID, Optional.empty(), Optional.empty(), 0);
    Timeline two =
        new Timeline("order-2", PAID, PAID, PAID, Optional.of(PAID), Optional.of(PAID), 2);

    assertThat(none.line()).endsWith("no email");
    assertThat(two.line()).endsWith("2 emails!");
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
}
