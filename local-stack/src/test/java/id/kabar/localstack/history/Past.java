package id.kabar.localstack.history;

import id.kabar.localstack.history.History.Audit;
import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.History.Order;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.Partition;
import id.kabar.localstack.history.History.ProcessedEvent;
import id.kabar.localstack.history.History.Stage;
import id.kabar.localstack.history.History.TopicRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A history made up by a test: orders that went well, then whatever the test changes about them.
 * The event of order {@code a} is {@code event-a}.
 */
final class Past {

  static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  final List<Order> orders = new ArrayList<>();
  final List<OutboxEvent> events = new ArrayList<>();
  final List<TopicRecord> records = new ArrayList<>();
  final Map<Partition, Long> progress = new HashMap<>();
  final List<ProcessedEvent> processed = new ArrayList<>();
  final List<DeadLetter> deadLetters = new ArrayList<>();
  final List<Delivery> inbox = new ArrayList<>();
  final List<Audit> audit = new ArrayList<>();

  /** A past in which these orders were paid, published and mailed. */
  static Past of(String... orders) {
    Past past = new Past();
    for (String order : orders) {
      past.paid(order);
      past.settled(order, "event-" + order);
      past.mailed("event-" + order);
    }
    return past;
  }

  void pending(String order) {
    orders.add(new Order(order, "PENDING", orders.size(), NOON, null));
  }

  void paid(String order) {
    orders.add(new Order(order, "PAID", orders.size(), NOON, NOON.plusMillis(10)));
  }

  void settled(String order, String event) {
    TopicRecord record = publish(order, event);
    append(order, event, new Stage.Archived(NOON.plusMillis(30), 0, record.offset()));
  }

  void append(String order, String event, Stage stage) {
    events.add(
        new OutboxEvent(
            event, events.size(), order, "OrderPaid", payload(event), NOON.plusMillis(10), stage));
  }

  /** Another record of the event, read by the consumers. */
  TopicRecord publish(String order, String event) {
    return publish(History.TOPIC, order, event, Map.of());
  }

  void deadLetter(String order, String event, Map<String, String> headers) {
    publish(History.DEAD_LETTER_TOPIC, order, event, headers);
  }

  void mailed(String event) {
    processed.add(new ProcessedEvent(event, "SENT", NOON.plusMillis(60)));
    inbox.add(new Delivery(event, 1, 0));
  }

  void neverMailed(String event) {
    processed.removeIf(it -> it.eventId().equals(event));
    inbox.removeIf(it -> it.key().equals(event));
  }

  void consumersAreAt(long offset) {
    progress.put(new Partition(History.TOPIC, 0), offset);
  }

  TopicRecord publish(String topic, String order, String event, Map<String, String> headers) {
    Partition partition = new Partition(topic, 0);
    long offset = records.stream().filter(it -> it.home().equals(partition)).count();
    Map<String, String> all = new HashMap<>(headers);
    all.put("ce_id", event);
    TopicRecord record =
        new TopicRecord(topic, 0, offset, NOON.plusMillis(20), order, all, payload(event));
    records.add(record);
    progress.put(partition, offset + 1);
    return record;
  }

  Verdict judge() {
    return HistoryCheck.judge(history());
  }

  History history() {
    return new History(orders, events, records, progress, processed, deadLetters, inbox, audit);
  }

  static String payload(String event) {
    return "{\"eventId\":\"%s\"}".formatted(event);
  }
}
