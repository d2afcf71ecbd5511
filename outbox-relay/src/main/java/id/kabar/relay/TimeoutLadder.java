package id.kabar.relay;

import java.time.Duration;
import java.util.List;

/**
 * Each time-out must end before the next longer one, or two parties would decide one event's fate:
 * a record could be confirmed after its round gave up, or a lock be lost while its record travels.
 */
final class TimeoutLadder {

  private record Rung(String setting, Duration length) {}

  private TimeoutLadder() {}

  /**
   * @throws IllegalArgumentException naming the value to change
   */
  static void check(RelaySettings.Timeouts timeouts) {
    List<Rung> rungs =
        List.of(
            new Rung("relay.timeouts.max-block", timeouts.maxBlock()),
            new Rung("relay.timeouts.delivery", timeouts.delivery()),
            new Rung("relay.timeouts.round", timeouts.round()),
            new Rung("relay.timeouts.session", timeouts.session()));
    if (!timeouts.maxBlock().isPositive()) {
      throw new IllegalArgumentException(
          "relay.timeouts.max-block is %s; raise it above zero"
              .formatted(seconds(timeouts.maxBlock())));
    }
    for (int i = 1; i < rungs.size(); i++) {
      Rung shorter = rungs.get(i - 1);
      Rung longer = rungs.get(i);
      if (shorter.length().compareTo(longer.length()) >= 0) {
        throw new IllegalArgumentException(
            "%s (%s) must be shorter than %s (%s): lower the first or raise the second"
                .formatted(
                    shorter.setting(),
                    seconds(shorter.length()),
                    longer.setting(),
                    seconds(longer.length())));
      }
    }
  }

  private static String seconds(Duration length) {
    return length.toMillis() % 1000 == 0 ? length.toSeconds() + "s" : length.toMillis() + "ms";
  }
}
