package id.kabar.localstack.history;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.History.Order;
import id.kabar.localstack.history.History.OutboxEvent;
import id.kabar.localstack.history.History.ProcessedEvent;
import id.kabar.localstack.history.History.Stage;
import id.kabar.localstack.history.History.TopicRecord;
import id.kabar.localstack.history.Run.Action;
import id.kabar.localstack.history.Run.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what a history knows about one order or one event, and tells it as a timeline. */
final class Timelines {

  private final Map<String, List<Order>> orders;
  private final Map<String, List<OutboxEvent>> eventsById;
  private final Map<String, List<OutboxEvent>> eventsByOrder;
  private final Map<String, List<TopicRecord>> recordsByEvent;
  private final Map<String, List<TopicRecord>> recordsByKey;
  private final Map<String, List<ProcessedEvent>> processed;
  private final Map<String, List<DeadLetter>> deadLetters;
  private final Map<String, List<Delivery>> inbox;
  private final Map<String, List<Operation>> operations;
  private final Map<Long, List<Operation>> placements;

  Timelines(History history, Run run) {
    orders = grouped(history.orders(), Order::id);
    eventsById = grouped(history.events(), OutboxEvent::id);
    eventsByOrder = grouped(history.events(), OutboxEvent::aggregateId);
    recordsByEvent = grouped(history.records(), TopicRecord::eventId);
    recordsByKey = grouped(history.records(), TopicRecord::key);
    processed = grouped(history.processed(), ProcessedEvent::eventId);
    deadLetters = grouped(history.deadLetters(), DeadLetter::eventId);
    inbox = grouped(history.inbox(), Delivery::key);
    operations =
        grouped(
            run.operations(),
            operation -> operation.subject() == null ? operation.key() : operation.subject());
    placements =
        run.operations().stream()
            .filter(operation -> operation.action() == Action.PLACE && operation.subject() == null)
            .collect(Collectors.groupingBy(Operation::amount));
  }

  List<Order> orders(String id) {
    return orders.getOrDefault(id, List.of());
  }

  List<OutboxEvent> eventsOfOrder(String orderId) {
    return eventsByOrder.getOrDefault(orderId, List.of());
  }

  List<OutboxEvent> events(String id) {
    return eventsById.getOrDefault(id, List.of());
  }

  List<TopicRecord> records(String eventId) {
    return recordsByEvent.getOrDefault(eventId, List.of());
  }

  List<TopicRecord> records(String eventId, String topic) {
    return records(eventId).stream().filter(record -> record.topic().equals(topic)).toList();
  }

  List<DeadLetter> deadLetters(String eventId) {
    return deadLetters.getOrDefault(eventId, List.of());
  }

  boolean isSent(String eventId) {
    return processed.getOrDefault(eventId, List.of()).stream().anyMatch(ProcessedEvent::isSent);
  }

  /** How many emails the provider has delivered for the event, over all its lives. */
  int accepted(String eventId) {
    return inbox.getOrDefault(eventId, List.of()).stream().mapToInt(Delivery::accepted).sum();
  }

  Set<String> inboxKeys() {
    return inbox.keySet();
  }

  /** All that is known about the order or event with this id, and about those it is tied to. */
  List<Moment> story(String id) {
    Set<String> orderIds = new LinkedHashSet<>(Set.of(id));
    Set<String> eventIds = new LinkedHashSet<>(Set.of(id));
    events(id).forEach(event -> orderIds.add(event.aggregateId()));
    records(id).stream().map(TopicRecord::key).forEach(key -> addTo(orderIds, key));
    for (String orderId : orderIds) {
      eventsOfOrder(orderId).forEach(event -> eventIds.add(event.id()));
      recordsByKey.getOrDefault(orderId, List.of()).stream()
          .map(TopicRecord::eventId)
          .forEach(eventId -> addTo(eventIds, eventId));
    }

    List<Moment> story = new ArrayList<>();
    tell(orderIds, orders, Timelines::tell, story);
    tell(eventIds, eventsById, Timelines::tell, story);
    Set<TopicRecord> records = new LinkedHashSet<>();
    eventIds.forEach(eventId -> records.addAll(records(eventId)));
    orderIds.forEach(key -> records.addAll(recordsByKey.getOrDefault(key, List.of())));
    records.stream().flatMap(Timelines::tell).forEach(story::add);
    tell(eventIds, processed, Timelines::tell, story);
    tell(eventIds, inbox, Timelines::tell, story);
    tell(eventIds, deadLetters, Timelines::tell, story);
    tell(orderIds, operations, Timelines::tell, story);
    tell(eventIds, operations, Timelines::tell, story);
    orderIds.stream()
        .flatMap(orderId -> orders(orderId).stream())
        .flatMap(order -> placements.getOrDefault(order.amount(), List.of()).stream())
        .flatMap(Timelines::tell)
        .forEach(story::add);
    story = new ArrayList<>(new LinkedHashSet<>(story));
    story.sort(comparing(Moment::at, nullsLast(naturalOrder())));
    return List.copyOf(story);
  }

  private static void addTo(Set<String> ids, @Nullable String id) {
    if (id != null) {
      ids.add(id);
    }
  }

  private static <T> void tell(
      Set<String> ids,
      Map<String, List<T>> source,
      Function<T, Stream<Moment>> teller,
      List<Moment> story) {
    ids.stream()
        .flatMap(id -> source.getOrDefault(id, List.of()).stream())
        .flatMap(teller)
        .forEach(story::add);
  }

  private static Stream<Moment> tell(Order order) {
    Moment created = new Moment(order.createdAt(), "orders", "created");
    return order.isPaid() || order.paidAt() != null
        ? Stream.of(created, new Moment(order.paidAt(), "orders", order.status()))
        : Stream.of(created, new Moment(null, "orders", order.status()));
  }

  private static Stream<Moment> tell(Operation call) {
    String wish = call.action().name().toLowerCase(Locale.ROOT);
    return Stream.of(
        new Moment(call.askedAt(), call.customer(), "asks to %s".formatted(wish)),
        new Moment(
            call.answeredAt(),
            call.customer(),
            "%s: %s, %s".formatted(wish, call.outcome(), call.answer())));
  }

  private static Stream<Moment> tell(OutboxEvent event) {
    Moment appended =
        new Moment(
            event.createdAt(),
            "outbox_event",
            "%s %s, position %d".formatted(event.type(), event.id(), event.position()));
    Moment reached =
        switch (event.stage()) {
          case Stage.Pending(int attempts) ->
              new Moment(null, "outbox_event", "pending, %d attempts".formatted(attempts));
          case Stage.Parked(int attempts, String error) ->
              new Moment(
                  null, "outbox_event", "parked after %d attempts: %s".formatted(attempts, error));
          case Stage.Archived(var publishedAt, int partition, long offset) ->
              new Moment(
                  publishedAt,
                  "outbox_archive",
                  "settled as partition %d, offset %d".formatted(partition, offset));
        };
    return Stream.of(appended, reached);
  }

  private static Stream<Moment> tell(TopicRecord record) {
    String what =
        "%s, key %s, event %s".formatted(record.address(), record.key(), record.eventId());
    return Stream.of(new Moment(record.timestamp(), "topic", what));
  }

  private static Stream<Moment> tell(ProcessedEvent event) {
    return Stream.of(new Moment(event.sentAt(), "processed_event", event.state()));
  }

  private static Stream<Moment> tell(Delivery delivery) {
    String what = "accepted %d, repeated %d".formatted(delivery.accepted(), delivery.repeated());
    return Stream.of(new Moment(null, "provider", what));
  }

  private static Stream<Moment> tell(DeadLetter letter) {
    String what = "%s, cause: %s".formatted(letter.state(), letter.cause());
    return Stream.of(new Moment(letter.failedAt(), "dead_letter", what));
  }

  private static <T> Map<String, List<T>> grouped(List<T> all, Function<T, @Nullable String> id) {
    return all.stream()
        .filter(each -> id.apply(each) != null)
        .collect(Collectors.groupingBy(id, LinkedHashMap::new, Collectors.toList()));
  }
}
