package id.kabar.localstack.history;

import static java.util.stream.Collectors.groupingBy;

import id.kabar.localstack.history.History.TopicRecord;
import id.kabar.localstack.history.Run.Disturbance;
import id.kabar.localstack.history.Run.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges what takes time: records that held their partition, news that did not arrive after all was
 * healed, and work done twice while nobody was disturbed.
 */
final class PaceCheck {

  /** K-4, and what sampling about once a second may add. */
  static final Duration LONGEST_HOLD = Duration.ofSeconds(63);

  /** In an outage of the provider, by default: {@code notification.outage.hold} comes before it. */
  static final Duration LONGEST_HOLD_IN_OUTAGE = LONGEST_HOLD.plusSeconds(60);

  /** A cluster whose parts were just killed may take so long to be itself again. */
  static final Duration AFTERMATH = Duration.ofSeconds(45);

  static final Duration LONGEST_REST = Duration.ofMinutes(5);

  private static final Duration SAMPLING_GAP = Duration.ofSeconds(5);

  private static final Set<String> WHO_PUBLISHES = Set.of("outbox-relay", "postgres", "kafka");
  private static final Set<String> WHO_CONSUMES =
      Set.of("notification-service", "postgres", "kafka");
  private static final Set<String> PROVIDER = Set.of("email-stub");

  private final History history;
  private final Run run;
  private final Findings findings;

  PaceCheck(History history, Run run, Findings findings) {
    this.history = history;
    this.run = run;
    this.findings = findings;
  }

  void judge() {
    requireAtMost(LONGEST_HOLD, longestHoldWithProviderUp(), "while the provider was up");
    requireAtMost(LONGEST_HOLD_IN_OUTAGE, longestHold(), "in an outage of the provider");
    if (run.healedAt() != null
        && (run.settledAfter() == null || run.settledAfter().compareTo(LONGEST_REST) > 0)) {
      findings.violated(
          Kind.UNSETTLED,
          "order.paid",
          "news was on its way %d s after all was healed".formatted(LONGEST_REST.toSeconds()));
    }
    if (run.healedAt() != null) {
      repeatsInPeace();
    }
  }

  private void requireAtMost(Duration bound, Duration hold, String when) {
    if (hold.compareTo(bound) > 0) {
      findings.violated(
          Kind.HELD,
          "order.paid",
          "a record held its partition for %d s %s".formatted(hold.toSeconds(), when));
    }
  }

  /** How long a record held its partition at most while the provider and all others were well. */
  Duration longestHoldWithProviderUp() {
    Set<String> all = new HashSet<>(WHO_CONSUMES);
    all.addAll(PROVIDER);
    return longestHold(all);
  }

  /** Likewise while the provider was in any state. */
  Duration longestHold() {
    return longestHold(WHO_CONSUMES);
  }

  private Duration longestHold(Set<String> excused) {
    List<Disturbance> excuses =
        run.disturbances().stream().filter(it -> it.concerns(excused)).toList();
    Duration longest = Duration.ZERO;
    for (List<Sample> samples :
        run.samples().stream().collect(groupingBy(Sample::partition)).values()) {
      Sample first = null;
      Sample before = null;
      for (Sample sample : samples) {
        first = goesOn(first, before, sample, excuses) ? first : sample;
        if (first != null && sample.end() > sample.next()) {
          Duration held = Duration.between(first.at(), sample.at());
          longest = held.compareTo(longest) > 0 ? held : longest;
        }
        before = sample;
      }
    }
    return longest;
  }

  /** Whether the sample still shows the record held that {@code first} showed. */
  private static boolean goesOn(
      @Nullable Sample first, @Nullable Sample before, Sample sample, List<Disturbance> excuses) {
    return first != null
        && before != null
        && first.next() == sample.next()
        && before.end() > before.next()
        && Duration.between(before.at(), sample.at()).compareTo(SAMPLING_GAP) <= 0
        && excuses.stream().noneMatch(it -> isWithin(it, sample.at()));
  }

  private void repeatsInPeace() {
    Map<String, Instant> deadSince = deadSince();
    List<Disturbance> excuses =
        run.disturbances().stream().filter(it -> it.concerns(WHO_PUBLISHES)).toList();
    Set<String> seen = new HashSet<>();
    for (TopicRecord record : history.records()) {
      String id = record.eventId();
      if (id == null
          || !History.ROUTES.containsValue(record.topic())
          || seen.add(record.topic() + id)
          || isReplay(record, deadSince.get(id))) {
        continue;
      }
      if (excuses.stream().noneMatch(it -> isWithin(it, record.timestamp()))) {
        findings.violated(
            Kind.REPEATED, id, record.address() + ": once more, and no relay was disturbed");
      }
    }
  }

  /** When each event was dead-lettered first. */
  private Map<String, Instant> deadSince() {
    Map<String, Instant> since = new HashMap<>();
    for (TopicRecord record : history.records()) {
      String id = record.eventId();
      if (id != null && record.topic().equals(History.DEAD_LETTER_TOPIC)) {
        since.merge(id, record.timestamp(), (one, other) -> one.isBefore(other) ? one : other);
      }
    }
    return since;
  }

  /** An operator, or the end of an outage, sends dead letters again; that is no relay's doing. */
  private static boolean isReplay(TopicRecord record, @Nullable Instant deadSince) {
    return deadSince != null && deadSince.isBefore(record.timestamp());
  }

  private static boolean isWithin(Disturbance disturbance, Instant moment) {
    return !moment.isBefore(disturbance.from())
        && moment.isBefore(disturbance.until().plus(AFTERMATH));
  }
}
