package id.kabar.localstack.history;

import static id.kabar.localstack.history.History.DEAD_LETTER_TOPIC;
import static id.kabar.localstack.history.History.TOPIC;

import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.Partition;
import id.kabar.localstack.history.History.Stage;
import id.kabar.localstack.history.History.TopicRecord;
import java.util.List;
import java.util.Map;

/** Decides where a payment's news has ended, by the accounts of all parties. */
final class Fates {

  private final Timelines timelines;
  private final Map<Partition, Long> progress;

  Fates(Timelines timelines, Map<Partition, Long> progress) {
    this.timelines = timelines;
    this.progress = Map.copyOf(progress);
  }

  Fate of(OutboxEvent event) {
    String id = event.id();
    if (timelines.accepted(id) > 0) {
      return Fate.MAILED;
    }
    List<DeadLetter> letters = timelines.deadLetters(id);
    if (letters.stream().anyMatch(letter -> letter.isOpen() || letter.isDiscarded())) {
      return Fate.DEAD_LETTERED;
    }
    if (timelines.isSent(id)) {
      return Fate.VANISHED; // it says so, but the provider knows nothing of it
    }
    boolean inOutbox = !(event.stage() instanceof Stage.Archived);
    return inOutbox || isToBeRead(id) || isAhead(id, DEAD_LETTER_TOPIC)
        ? Fate.PENDING
        : Fate.VANISHED;
  }

  /** Whether the consumers have a record of the event before them. */
  boolean isToBeRead(String eventId) {
    return isAhead(eventId, TOPIC);
  }

  /** What makes the news of this event vanished. */
  String whyVanished(String eventId) {
    if (timelines.isSent(eventId)) {
      return "SENT by its own account, and the provider accepted nothing";
    }
    return timelines.records(eventId).isEmpty()
        ? "settled, and in no topic"
        : "the consumers went past it, and nothing came of it";
  }

  private boolean isAhead(String eventId, String topic) {
    return timelines.records(eventId, topic).stream().anyMatch(this::isAhead);
  }

  private boolean isAhead(TopicRecord record) {
    return record.offset() >= progress.getOrDefault(record.home(), 0L);
  }
}
