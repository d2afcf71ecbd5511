package id.kabar.localstack.command;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * One order's way, from two clicks of its customer.
 *
 * @param ordered when the order was sent
 * @param placed when it was confirmed
 * @param clicked when the payment was sent; all times after it count from here
 * @param paid when the payment was confirmed
 * @param inKafka when the relay handed its event to Kafka
 * @param emailed when the provider accepted its email
 * @param emails how many emails its customer has
 */
record Timeline(
    String orderId,
    Instant ordered,
    Instant placed,
    Instant clicked,
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
            millis(Duration.between(ordered, placed)),
            sinceClick(paid),
            inKafka.map(this::sinceClick).orElse("-"),
            emailed.map(this::sinceClick).orElse("no email"),
            emails > 1 ? "   " + emails + " emails!" : "");
  }

  Optional<Duration> toEmail() {
    return emailed.map(at -> Duration.between(clicked, at));
  }

  Optional<Duration> toKafka() {
    return inKafka.map(at -> Duration.between(clicked, at));
  }

  private String sinceClick(Instant at) {
    return "+" + millis(Duration.between(clicked, at));
  }

  private static String millis(Duration duration) {
    return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
  }
}
