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
   * @throws UnusableSettings naming the value to change
   */
  static void check(RelaySettings.Timeouts timeouts) {
    List<Rung> rungs =
        List.of(
            new Rung("relay.timeouts.max-block", timeouts.maxBlock()),
            new Rung("relay.timeouts.delivery", timeouts.delivery()),
            new Rung("relay.timeouts.round", timeouts.round()),
            new Rung("relay.timeouts.session", timeouts.session()));
    if (!timeouts.maxBlock().isPositive()) {
      throw new UnusableSettings(
          "relay.timeouts.max-block is " + seconds(timeouts.maxBlock()), "raise it above zero");
    }
    for (int i = 1; i < rungs.size(); i++) {
      Rung shorter = rungs.get(i - 1);
      Rung longer = rungs.get(i);
      if (shorter.length().compareTo(longer.length()) >= 0) {
        throw new UnusableSettings(
            "%s (%s) must be shorter than %s (%s)"
                .formatted(
                    shorter.setting(),
                    seconds(shorter.length()),
                    longer.setting(),
                    seconds(longer.length())),
            "lower the first or raise the second");
      }
    }
  }

  private static String seconds(Duration length) {
    return length.toMillis() % 1000 == 0 ? length.toSeconds() + "s" : length.toMillis() + "ms";
  }
}
