package id.kabar.notification.email;

import id.kabar.notification.ledger.ProviderStates;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code Retry-After}: seconds or a date, and often neither. */
final class RetryAfter {

  private static final Duration LONGEST = ProviderStates.LONGEST_PAUSE;

  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");
  private static final Pattern TOO_MANY_SECONDS = Pattern.compile("\\d{10,}");

  private RetryAfter() {}

  /** Returns the wait that is asked for, between nothing and five minutes; null if none is. */
  static @Nullable Duration parse(@Nullable String header, Clock clock) {
    if (header == null) {
      return null;
    }
    String text = header.strip();
    if (SECONDS.matcher(text).matches()) {
      return capped(Duration.ofSeconds(Long.parseLong(text)));
    }
    if (TOO_MANY_SECONDS.matcher(text).matches()) {
      return LONGEST;
    }
    try {
      var date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return capped(Duration.between(clock.instant(), date));
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Duration capped(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }
}
