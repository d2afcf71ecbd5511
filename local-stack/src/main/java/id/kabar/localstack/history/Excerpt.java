package id.kabar.localstack.history;

import static java.util.stream.Collectors.toSet;

import id.kabar.localstack.history.History.Order;
import id.kabar.localstack.history.History.OutboxEvent;
import java.time.Instant;
import java.util.Set;

/**
 * The part of a history that is to be judged: without what was planted on purpose, and without the
 * orders of earlier days, whose emails a provider with a short memory has forgotten.
 */
public final class Excerpt {

  /** The header of a record that an experiment has written and no relay; dead letters keep it. */
  public static final String PLANTED = "kabar-planted";

  private Excerpt() {}

  /**
   * What belongs to orders created since then; what belongs to no order at all stays, as a ghost.
   */
  public static History since(Instant start, History whole) {
    Set<String> earlierOrders =
        whole.orders().stream()
            .filter(order -> order.createdAt().isBefore(start))
            .map(Order::id)
            .collect(toSet());
    Set<String> earlierEvents =
        whole.events().stream()
            .filter(
                event ->
                    event.createdAt().isBefore(start)
                        || earlierOrders.contains(event.aggregateId()))
            .map(OutboxEvent::id)
            .collect(toSet());
    return new History(
        whole.orders().stream().filter(order -> !earlierOrders.contains(order.id())).toList(),
        whole.events().stream().filter(event -> !earlierEvents.contains(event.id())).toList(),
        whole.records().stream()
            .filter(record -> !record.headers().containsKey(PLANTED))
            .filter(record -> !record.timestamp().isBefore(start))
            .filter(record -> record.key() == null || !earlierOrders.contains(record.key()))
            .filter(record -> record.eventId() == null || !earlierEvents.contains(record.eventId()))
            .toList(),
        whole.progress(),
        whole.processed().stream().filter(it -> !earlierEvents.contains(it.eventId())).toList(),
        whole.deadLetters().stream()
            .filter(letter -> letter.eventId() == null || !earlierEvents.contains(letter.eventId()))
            .toList(),
        whole.inbox().stream().filter(it -> !earlierEvents.contains(it.key())).toList(),
        whole.audit().stream().filter(it -> !it.at().isBefore(start)).toList());
  }
}
