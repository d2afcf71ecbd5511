package id.kabar.localstack.command;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * One order's way.
 *
 * @param asked when the order was sent
 * @param placed when it was confirmed
 * @param paid when its payment was confirmed; the times after it count from here
 * @param inKafka when a consumer saw its event
 * @param emailed when the provider accepted its email
 * @param emails how many emails its customer has
 */
record Timeline(
    String orderId,
    Instant asked,
    Instant placed,
    Instant paid,
    Optional<Instant> inKafka,
    Optional<Instant> emailed,
    int emails) {

  static final String HEADER =
      "%-36s  %9s  %9s  %10s  %10s".formatted("ORDER", "placed", "paid", "in Kafka", "emailed");

  String line() {
    return "%-36s  %9s  %9s  %10s  %10s%s"
        .formatted(
            orderId,
            millis(Duration.between(asked, placed)),
            millis(Duration.between(placed, paid)),
            inKafka.map(this::sincePaid).orElse("-"),
            emailed.map(this::sincePaid).orElse("no email"),
            emails > 1 ? "   " + emails + " emails!" : "");
  }

  Optional<Duration> paidToEmailed() {
    return emailed.map(at -> Duration.between(paid, at));
  }

  Optional<Duration> paidToKafka() {
    return inKafka.map(at -> Duration.between(paid, at));
  }

  private String sincePaid(Instant at) {
    return "+" + millis(Duration.between(paid, at));
  }

  private static String millis(Duration duration) {
    return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
  }
}
