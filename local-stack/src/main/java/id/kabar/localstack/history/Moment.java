package id.kabar.localstack.history;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * A line of an order's timeline.
 *
 * @param at null where nobody noted the time
 * @param where the table, topic or party that tells it
 */
public record Moment(@Nullable Instant at, String where, String what) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  @Override
  public String toString() {
    return "%-12s  %-16s %s".formatted(at == null ? "" : TIME.format(at), where, what);
  }
}
