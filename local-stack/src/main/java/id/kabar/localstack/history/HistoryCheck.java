package id.kabar.localstack.history;

import static id.kabar.localstack.history.History.CAUSE;
import static id.kabar.localstack.history.History.DEAD_LETTER_TOPIC;
import static id.kabar.localstack.history.History.ROUTES;
import static id.kabar.localstack.history.History.TOPIC;
import static id.kabar.localstack.history.Kind.ALTERED;
import static id.kabar.localstack.history.Kind.GHOST;
import static id.kabar.localstack.history.Kind.LOST;
import static id.kabar.localstack.history.Kind.MAILED_TWICE;
import static id.kabar.localstack.history.Kind.MISROUTED;
import static id.kabar.localstack.history.Kind.NO_CAUSE;
import static id.kabar.localstack.history.Kind.OUT_OF_ORDER;
import static id.kabar.localstack.history.Kind.REPLAY_WITHOUT_END;
import static id.kabar.localstack.history.Kind.SEVERAL_EVENTS;
import static id.kabar.localstack.history.Kind.UNFINISHED;
import static id.kabar.localstack.history.Kind.VANISHED;

import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.Order;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.ProcessedEvent;
import id.kabar.localstack.history.History.Stage;
import id.kabar.localstack.history.History.TopicRecord;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges a history by Kabar's promises. It trusts nobody: each party's account is held against the
 * others'. Collect the history while nothing is being published, else a record may be younger than
 * the rows it is compared with; what is merely on its way is counted as pending and is no
 * violation.
 */
public final class HistoryCheck {

  private final History history;
  private final Timelines timelines;
  private final Fates fates;
  private final Findings findings;
  private final Map<Fate, Integer> fateCounts = new EnumMap<>(Fate.class);

  private HistoryCheck(History history, Run run) {
    this.history = history;
    this.timelines = new Timelines(history, run);
    this.fates = new Fates(timelines, history.progress());
    this.findings = new Findings(timelines);
  }

  /** By what the run has left behind, and nothing else. */
  public static Verdict judge(History history) {
    return judge(history, Run.UNRECORDED);
  }

  /** Also by what its customers were told and what was broken when. */
  public static Verdict judge(History history, Run run) {
    HistoryCheck check = new HistoryCheck(history, run);
    check.everyPaymentHasOneEvent();
    check.everyEventHasItsPayment();
    check.everySettledEventIsInItsTopic();
    check.everyRecordIsTrueToItsEvent();
    check.everyOrdersEventsAreInOrder();
    check.everyPaymentIsMailedOrAccountedFor();
    check.everyEmailIsTheOnlyOneOfItsPayment();
    check.everyClaimWillBeFinished();
    check.everyDeadLetterHasACause();
    check.everyReplayHasAnEnd();
    new ClientCheck(history, run, check.timelines, check.findings).judge();
    new PaceCheck(history, run, check.findings).judge();
    return new Verdict(check.figures(), check.findings.all());
  }

  private void everyPaymentHasOneEvent() {
    for (Order order : history.orders()) {
      if (!order.isPaid()) {
        continue;
      }
      long ids =
          timelines.eventsOfOrder(order.id()).stream().map(OutboxEvent::id).distinct().count();
      if (ids == 0) {
        violated(LOST, order.id(), "paid, and its event was never written");
      } else if (ids > 1) {
        violated(SEVERAL_EVENTS, order.id(), "one payment, %d events".formatted(ids));
      }
    }
  }

  private void everyEventHasItsPayment() {
    for (OutboxEvent event : history.events()) {
      if (event.isOfOrder()
          && timelines.orders(event.aggregateId()).stream().noneMatch(Order::isPaid)) {
        violated(GHOST, event.id(), "an event of an order that is not paid");
      }
    }
  }

  private void everySettledEventIsInItsTopic() {
    for (OutboxEvent event : history.events()) {
      if (event.stage() instanceof Stage.Archived(var _, int partition, long offset)) {
        String topic = ROUTES.getOrDefault(event.type(), "");
        List<TopicRecord> records = timelines.records(event.id(), topic);
        if (records.isEmpty()) {
          violated(LOST, event.id(), "settled as published, and not in its topic");
        } else if (records.stream()
            .noneMatch(it -> it.partition() == partition && it.offset() == offset)) {
          violated(ALTERED, event.id(), "the archive names an address where it is not");
        }
      }
    }
  }

  private void everyRecordIsTrueToItsEvent() {
    for (TopicRecord record : history.records()) {
      String id = record.eventId();
      List<OutboxEvent> known = id == null ? List.of() : timelines.events(id);
      if (id == null || known.isEmpty()) {
        violated(GHOST, subject(record), record.address() + ": no event of a committed payment");
        continue;
      }
      OutboxEvent event = known.getFirst();
      if (!event.aggregateId().equals(record.key())) {
        violated(MISROUTED, id, record.address() + ": its key is not its order");
      }
      if (!record.topic().equals(DEAD_LETTER_TOPIC)
          && !record.topic().equals(ROUTES.get(event.type()))) {
        violated(MISROUTED, id, record.address() + ": not the topic of " + event.type());
      }
      if (known.stream()
          .map(OutboxEvent::payload)
          .anyMatch(payload -> payload != null && !payload.equals(record.value()))) {
        violated(ALTERED, id, record.address() + ": its value is not the payload");
      }
    }
  }

  private void everyOrdersEventsAreInOrder() {
    Set<String> seen = new HashSet<>();
    Map<String, TopicRecord> latest = new HashMap<>();
    for (TopicRecord record : history.records()) {
      String id = record.eventId();
      String key = record.key();
      if (!ROUTES.containsValue(record.topic()) || id == null || key == null || !seen.add(id)) {
        continue;
      }
      TopicRecord before = latest.put(key, record);
      if (before == null) {
        continue;
      }
      if (before.partition() != record.partition()) {
        violated(OUT_OF_ORDER, key, "its events are in several partitions");
      } else if (position(before) > position(record)) {
        violated(OUT_OF_ORDER, key, before.address() + " overtook an earlier event");
      }
    }
  }

  private void everyPaymentIsMailedOrAccountedFor() {
    for (Order order : history.orders()) {
      if (!order.isPaid()) {
        continue;
      }
      for (OutboxEvent event : timelines.eventsOfOrder(order.id())) {
        Fate fate = fates.of(event);
        fateCounts.merge(fate, 1, Integer::sum);
        if (fate == Fate.VANISHED) {
          violated(VANISHED, event.id(), fates.whyVanished(event.id()));
        }
      }
    }
  }

  private void everyEmailIsTheOnlyOneOfItsPayment() {
    for (String key : timelines.inboxKeys()) {
      int accepted = timelines.accepted(key);
      if (accepted > 1) {
        violated(MAILED_TWICE, key, "the provider accepted %d emails".formatted(accepted));
      }
      if (accepted > 0 && timelines.events(key).isEmpty()) {
        violated(GHOST, key, "an email for no event of a committed payment");
      }
    }
  }

  private void everyClaimWillBeFinished() {
    for (ProcessedEvent event : history.processed()) {
      if (event.isSending() && !fates.isToBeRead(event.eventId())) {
        violated(
            UNFINISHED, event.eventId(), "SENDING, and the consumers went past all its records");
      }
    }
  }

  private void everyDeadLetterHasACause() {
    for (DeadLetter letter : history.deadLetters()) {
      if (isBlank(letter.cause())) {
        String id = letter.eventId();
        violated(NO_CAUSE, id == null ? "no event id" : id, "a row of dead_letter without a cause");
      }
    }
    for (TopicRecord record : history.records()) {
      if (record.topic().equals(DEAD_LETTER_TOPIC) && isBlank(record.headers().get(CAUSE))) {
        violated(NO_CAUSE, subject(record), record.address() + ": no header " + CAUSE);
      }
    }
  }

  /** Of those at rest: what is to be read still may come to its end. */
  private void everyReplayHasAnEnd() {
    for (DeadLetter letter : history.deadLetters()) {
      String id = letter.eventId();
      if (letter.isReplayed()
          && id != null
          && !timelines.isSent(id)
          && timelines.accepted(id) > 0
          && !fates.isToBeRead(id)) {
        findings.violated(
            REPLAY_WITHOUT_END, id, "REPLAYED, and the consumers went past its records");
      }
    }
  }

  private long position(TopicRecord record) {
    return record.eventId() == null
        ? Long.MAX_VALUE
        : timelines.events(record.eventId()).stream()
            .mapToLong(OutboxEvent::position)
            .min()
            .orElse(Long.MAX_VALUE);
  }

  private Figures figures() {
    List<TopicRecord> published =
        history.records().stream().filter(record -> record.topic().equals(TOPIC)).toList();
    long distinct = published.stream().map(TopicRecord::eventId).distinct().count();
    return new Figures(
        history.orders().size(),
        (int) history.orders().stream().filter(Order::isPaid).count(),
        count(Fate.MAILED),
        count(Fate.DEAD_LETTERED),
        count(Fate.PENDING),
        count(Fate.VANISHED),
        (int) history.events().stream().filter(it -> it.stage() instanceof Stage.Parked).count(),
        published.size(),
        published.size() - (int) distinct,
        (int) history.records().stream().filter(it -> it.topic().equals(DEAD_LETTER_TOPIC)).count(),
        (int) history.processed().stream().filter(ProcessedEvent::isSending).count(),
        history.inbox().stream().mapToLong(History.Delivery::repeated).sum(),
        (int) history.events().stream().filter(it -> it.stage() instanceof Stage.Pending).count());
  }

  private int count(Fate fate) {
    return fateCounts.getOrDefault(fate, 0);
  }

  private void violated(Kind kind, String subject, String sentence) {
    findings.violated(kind, subject, sentence);
  }

  private static String subject(TopicRecord record) {
    String id = record.eventId();
    return id == null ? record.address() : id;
  }

  private static boolean isBlank(@Nullable String text) {
    return text == null || text.isBlank();
  }
}
