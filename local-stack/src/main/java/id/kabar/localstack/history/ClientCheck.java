package id.kabar.localstack.history;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import id.kabar.localstack.history.History.Order;
import id.kabar.localstack.history.Run.Action;
import id.kabar.localstack.history.Run.Operation;
import id.kabar.localstack.history.Run.Outcome;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds what customers were told against what is in the database: what was confirmed must be there,
 * what was refused must have left nothing, and where nobody knows, either is right.
 */
final class ClientCheck {

  private final History history;
  private final Run run;
  private final Timelines timelines;
  private final Findings findings;

  ClientCheck(History history, Run run, Timelines timelines, Findings findings) {
    this.history = history;
    this.run = run;
    this.timelines = timelines;
    this.findings = findings;
  }

  void judge() {
    if (!run.knowsCustomers()) {
      return;
    }
    placed();
    decided(Action.PAY, "PAID");
    decided(Action.CANCEL, "CANCELLED");
    appended();
  }

  private void placed() {
    Map<Long, List<Operation>> wishes =
        operations(Action.PLACE).stream().collect(groupingBy(Operation::amount));
    Map<Long, List<Order>> found = history.orders().stream().collect(groupingBy(Order::amount));
    wishes.forEach(
        (amount, calls) -> {
          List<Order> orders = found.getOrDefault(amount, List.of());
          String subject = orders.isEmpty() ? subject(calls) : orders.getFirst().id();
          if (orders.size() > 1) {
            findings.violated(
                Kind.SEVERAL_EVENTS, subject, "one wish, %d orders".formatted(orders.size()));
          }
          if (any(calls, Outcome.OK)
              && orders.stream().map(Order::id).noneMatch(subject(calls)::equals)) {
            findings.violated(
                Kind.LOST,
                subject(calls),
                "its customer was told that it is placed, and it is not");
          }
          if (allFailed(calls) && !orders.isEmpty()) {
            findings.violated(Kind.GHOST, subject, "its customer was told that it is not placed");
          }
        });
    for (Order order : history.orders()) {
      if (!wishes.containsKey(order.amount())) {
        findings.violated(Kind.GHOST, order.id(), "an order nobody has asked for");
      }
    }
  }

  private void decided(Action action, String status) {
    Map<String, List<Operation>> wishes = bySubject(action);
    wishes.forEach(
        (id, calls) -> {
          boolean holds = timelines.orders(id).stream().anyMatch(it -> it.status().equals(status));
          if (any(calls, Outcome.OK) && !holds) {
            findings.violated(
                Kind.LOST,
                id,
                "its customer was told that it is %s, and it is not".formatted(status));
          }
        });
    for (Order order : history.orders()) {
      if (order.status().equals(status) && allFailed(wishes.getOrDefault(order.id(), List.of()))) {
        findings.violated(
            Kind.GHOST, order.id(), "it is %s, and nobody was let do that".formatted(status));
      }
    }
  }

  private void appended() {
    bySubject(Action.APPEND)
        .forEach(
            (id, calls) -> {
              boolean there = !timelines.events(id).isEmpty();
              if (any(calls, Outcome.OK) && !there) {
                findings.violated(
                    Kind.LOST, id, "an event that was committed is not in the outbox");
              }
              if (allFailed(calls) && (there || !timelines.records(id).isEmpty())) {
                findings.violated(Kind.GHOST, id, "an event that was rolled back");
              }
            });
    Set<String> asked = new HashSet<>(bySubject(Action.APPEND).keySet());
    history.events().stream()
        .filter(event -> !event.isOfOrder() && !asked.contains(event.id()))
        .forEach(
            event ->
                findings.violated(
                    Kind.GHOST, event.id(), "an event nobody is known to have written"));
  }

  private List<Operation> operations(Action action) {
    return run.operations().stream().filter(it -> it.action() == action).toList();
  }

  private Map<String, List<Operation>> bySubject(Action action) {
    return operations(action).stream()
        .collect(groupingBy(ClientCheck::subject, LinkedHashMap::new, toList()));
  }

  private static String subject(Operation call) {
    return call.subject() == null ? call.key() : call.subject();
  }

  private static String subject(List<Operation> calls) {
    return calls.stream()
        .filter(it -> it.subject() != null)
        .findFirst()
        .map(ClientCheck::subject)
        .orElse(calls.getFirst().key());
  }

  private static boolean any(List<Operation> calls, Outcome outcome) {
    return calls.stream().anyMatch(it -> it.outcome() == outcome);
  }

  private static boolean allFailed(List<Operation> calls) {
    return calls.stream().allMatch(it -> it.outcome() == Outcome.FAIL);
  }
}
