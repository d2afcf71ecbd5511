package id.kabar.localstack;

import id.kabar.localstack.servers.Ports;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Which instance listens where. What was given once stays, so that an instance comes back where it
 * was.
 */
final class PortPlan {

  private final Map<InstanceName, List<Integer>> given = new ConcurrentHashMap<>();
  private final UnaryOperator<List<Integer>> choice;

  private PortPlan(UnaryOperator<List<Integer>> choice) {
    this.choice = choice;
  }

  /** The documented ports, all shifted by an offset so that stacks can run beside each other. */
  static PortPlan shifted(int offset) {
    if (offset < 0 || offset > 40_000) {
      throw new IllegalArgumentException(
          "The port offset must be between 0 and 40000, not %d.".formatted(offset));
    }
    return new PortPlan(ports -> ports.stream().map(port -> port + offset).toList());
  }

  static PortPlan free() {
    Set<Integer> taken = new HashSet<>();
    return new PortPlan(
        ports -> {
          synchronized (taken) {
            return ports.stream().map(_ -> unused(taken)).toList();
          }
        });
  }

  List<Integer> of(InstanceName name) {
    return given.computeIfAbsent(name, n -> choice.apply(documented(n)));
  }

  void remember(InstanceName name, List<Integer> ports) {
    given.put(name, List.copyOf(ports));
  }

  private static List<Integer> documented(InstanceName name) {
    int number = name.number();
    return switch (name.service()) {
      case POSTGRES -> List.of(15432);
      case KAFKA -> List.of(19092, 19093); // clients, and the broker's own controller
      case EMAIL_STUB -> List.of(8089);
      case ORDER_SERVICE -> List.of(8080, 9080); // API, management
      case OUTBOX_RELAY -> List.of(number == 1 ? 9081 : 9179 + number);
      case NOTIFICATION_SERVICE -> List.of(number == 1 ? 9082 : 9280 + number);
    };
  }

  private static int unused(Set<Integer> taken) {
    int port = Ports.free();
    while (!taken.add(port)) {
      port = Ports.free();
    }
    return port;
  }
}
