package id.kabar.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a claim's events in Kafka.
 *
 * @param confirmed of each aggregate the events before its first one that failed
 * @param refused of each aggregate at most one event, the first that failed, if that was its own
 *     fault
 * @param trouble why the rest was given up, or null when there was no such reason
 */
record Verdicts(List<Confirmed> confirmed, List<Refused> refused, @Nullable Failure trouble) {

  /** An event that the broker has. */
  record Confirmed(Event event, int partition, long offset) {}

  /** An event that will not be accepted as it is. */
  record Refused(Event event, Failure failure) {}

  boolean isEmpty() {
    return confirmed.isEmpty() && refused.isEmpty();
  }
}
