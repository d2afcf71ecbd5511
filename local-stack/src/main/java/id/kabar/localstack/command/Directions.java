package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;

/** Where everything is, and what to try. */
final class Directions {

  private final LocalStack stack;

  Directions(LocalStack stack) {
    this.stack = stack;
  }

  void print(Terminal terminal) {
    addresses(terminal);
    next(terminal);
  }

  void addresses(Terminal terminal) {
    terminal.say("");
    address(terminal, "orders", "%s/orders   (try it at /swagger-ui/index.html)", stack.orders());
    address(terminal, "emails", "%s/", stack.emailStub());
    address(terminal, "health", "%s/actuator/health", stack.management("order-service"));
    address(terminal, "", "%s/actuator/health", stack.management("outbox-relay"));
    address(terminal, "", "%s/actuator/health", stack.management("notification-service"));
    address(terminal, "PostgreSQL", "%s", stack.jdbcUrl("orders"));
    address(terminal, "Kafka", "%s", stack.bootstrapServers());
    address(terminal, "operator", "user operator, password %s", stack.operatorPassword());
  }

  private static void next(Terminal terminal) {
    terminal.title("\nTry next");
    hint(terminal, "demo", "follow orders to their emails, in milliseconds");
    hint(terminal, "kill outbox-relay#1", "and `demo` again: the other relay takes over");
    hint(terminal, "freeze notification-service", "pay, look at the inbox, then `thaw` it");
    hint(terminal, "topic order.paid", "what lies in Kafka");
    hint(terminal, "psql orders", "and in the database");
    hint(terminal, "status", "who runs where");
    hint(terminal, "down", "stop everything, keep the data");
  }

  private static void address(Terminal terminal, String what, String format, Object value) {
    terminal.say("  %-12s%s".formatted(what, format.formatted(value)));
  }

  private static void hint(Terminal terminal, String command, String effect) {
    terminal.say(
        "  %s  %s"
            .formatted(
                Terminal.styled(Style.BOLD, "%-36s".formatted("./kabar " + command)), effect));
  }
}
