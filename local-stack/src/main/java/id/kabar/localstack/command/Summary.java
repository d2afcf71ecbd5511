package id.kabar.localstack.command;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What a demonstration has shown. */
final class Summary {

  private final List<Timeline> timelines;

  Summary(List<Timeline> timelines) {
    this.timelines = timelines;
  }

  /** True if every order had one email and no more. */
  boolean print(Terminal terminal) {
    long emails = timelines.stream().mapToLong(Timeline::emails).sum();
    long without = timelines.stream().filter(each -> each.emails() == 0).count();
    long several = timelines.stream().filter(each -> each.emails() > 1).count();
    terminal.title("Orders paid: %d, emails: %d.".formatted(timelines.size(), emails));
    percentiles(terminal, "pay to Kafka", Timeline::toKafka);
    percentiles(terminal, "pay to email", Timeline::toEmail);
    if (without > 0) {
      terminal.say(
          "%d without an email yet; `./kabar status` shows who is down. Their events wait."
              .formatted(without));
    }
    if (several > 0) {
      terminal.say("%d customers got more than one email.".formatted(several));
    }
    return without == 0 && several == 0;
  }

  private void percentiles(
      Terminal terminal, String what, Function<Timeline, Optional<Duration>> way) {
    List<Duration> sorted =
        timelines.stream().flatMap(each -> way.apply(each).stream()).sorted().toList();
    if (!sorted.isEmpty()) {
      terminal.say(
          "%s: p50 %d ms, p99 %d ms"
              .formatted(
                  what, percentile(sorted, 50).toMillis(), percentile(sorted, 99).toMillis()));
    }
  }

  /** The smallest value that so many per cent do not exceed. */
  static Duration percentile(List<Duration> sorted, int percent) {
    int rank = (int) Math.ceil(percent / 100.0 * sorted.size());
    return sorted.get(Math.max(0, rank - 1));
  }
}
