package id.kabar.notification.email;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** How long events wait for a provider that is down: a duration, or {@code forever}. */
public record Hold(@Nullable Duration atMost) {

  /** Reads a setting. */
  public static Hold of(String text) {
    return "forever".equals(text.strip().toLowerCase(Locale.ROOT))
        ? new Hold(null)
        : new Hold(DurationStyle.detectAndParse(text.strip()));
  }

  boolean isOver(Duration waited) {
    return atMost != null && waited.compareTo(atMost) >= 0;
  }

  @Override
  public String toString() {
    return atMost == null ? "forever" : atMost.toMillis() / 1000.0 + " s";
  }
}
