package id.kabar.localstack.command;

import static id.kabar.localstack.command.OperatorCommand.text;

import tools.jackson.databind.JsonNode;

/** What notification-service says of the provider, for people. */
final class NotificationsReport {

  private NotificationsReport() {}

  static void provider(JsonNode provider, Terminal terminal) {
    terminal.say(state(provider));
    JsonNode orders = provider.path("orders");
    if (orders.isEmpty()) {
      return;
    }
    terminal.title("%-28s%-16s%-11s%s".formatted("AT", "BY", "ORDER", "REASON"));
    for (JsonNode each : orders) {
      terminal.say(
          "%-28s%-16s%-11s%s"
              .formatted(
                  text(each, "at"),
                  text(each, "operator"),
                  text(each, "manual"),
                  text(each, "reason")));
    }
  }

  private static String state(JsonNode provider) {
    return switch (text(provider, "manual")) {
      case "PAUSED" -> "Emails wait by order" + orderedBy(provider);
      case "FORCED" ->
          "The provider is called whatever the circuit breaker says, by order"
              + orderedBy(provider);
      default -> byItself(provider);
    };
  }

  private static String orderedBy(JsonNode provider) {
    return " of %s: %s".formatted(text(provider, "manualBy"), text(provider, "manualReason"));
  }

  private static String byItself(JsonNode provider) {
    if (text(provider, "gate").equals("OPEN")) {
      return "Emails are sent.";
    }
    if (provider.path("givingUp").asBoolean()) {
      return "The provider has been away since %s, longer than events wait: they are dead-lettered without a call, and sent again once it is back."
          .formatted(text(provider, "since"));
    }
    String wait = "Emails wait since " + text(provider, "since");
    if (text(provider, "reason").equals("THROTTLED")) {
      return "%s: the provider asked for a pause, %.0f s more."
          .formatted(wait, provider.path("throttledMillis").asLong() / 1_000.0);
    }
    return wait
        + (text(provider, "gate").equals("PROBE")
            ? ": one of them finds out whether the provider is back."
            : ": the provider fails.");
  }
}
