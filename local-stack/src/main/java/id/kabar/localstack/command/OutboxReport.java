package id.kabar.localstack.command;

import static id.kabar.localstack.command.OperatorCommand.text;

import tools.jackson.databind.JsonNode;

/** A relay's answers to an operator, for reading. */
final class OutboxReport {

  private final Terminal terminal;

  OutboxReport(Terminal terminal) {
    this.terminal = terminal;
  }

  void status(JsonNode status) {
    JsonNode paused = status.path("paused");
    if (paused.isObject()) {
      terminal.say(
          "PAUSED since %s by %s: %s"
              .formatted(text(paused, "since"), text(paused, "operator"), text(paused, "reason")));
    }
    terminal.say(
        "%s pending, %s due, %s parked; the oldest due event waits %s s."
            .formatted(
                text(status, "pending"),
                text(status, "due"),
                text(status, "parked"),
                text(status, "oldestDueSeconds")));
    terminal.say(
        "%s relays with %s workers; doorbell: %s; %s days of the archive are made ahead; %s replays."
            .formatted(
                text(status, "relays"),
                text(status, "workers"),
                text(status, "doorbell"),
                text(status, "archiveDaysAhead"),
                text(status, "replays")));
    if (status.path("buckets").isEmpty()) {
      return;
    }
    terminal.title("%6s%9s%9s%9s%12s".formatted("BUCKET", "PENDING", "DUE", "PARKED", "OLDEST"));
    for (JsonNode each : status.path("buckets")) {
      terminal.say(
          "%6s%9s%9s%9s%12s"
              .formatted(
                  text(each, "bucket"),
                  text(each, "pending"),
                  text(each, "due"),
                  text(each, "parked"),
                  text(each, "oldestDueSeconds") + " s"));
    }
  }

  void parked(JsonNode page) {
    terminal.title("%-38s%-16s%-38s%s".formatted("EVENT", "TYPE", "AGGREGATE", "REASON"));
    for (JsonNode each : page.path("parked")) {
      terminal.say(
          "%-38s%-16s%-38s%s"
              .formatted(
                  text(each, "id"),
                  text(each, "eventType"),
                  text(each, "aggregateId"),
                  text(each, "error")));
    }
    if (page.path("after").isNumber()) {
      terminal.say("There are more: narrow the choice.");
    }
  }

  void selected(JsonNode result) {
    terminal.say(
        "%s parked events%s."
            .formatted(
                text(result, "selected"),
                result.path("dryRun").asBoolean() ? " would be meant; nothing was done" : ""));
  }

  void replay(JsonNode result) {
    JsonNode replay = result.path("replay");
    terminal.say(
        replay.isObject()
            ? "Replay %s of %s events, %s a second."
                .formatted(text(replay, "id"), text(result, "events"), text(replay, "perSecond"))
            : "%s events would be sent again; nothing was done.".formatted(text(result, "events")));
  }

  void replays(JsonNode replays) {
    terminal.title(
        "%6s  %-26s%-12s%9s%9s  %s"
            .formatted("REPLAY", "STARTED", "STATE", "EVENTS", "SENT", "OF"));
    for (JsonNode each : replays) {
      terminal.say(
          "%6s  %-26s%-12s%9s%9s  %s"
              .formatted(
                  text(each, "id"),
                  text(each, "startedAt"),
                  state(each),
                  text(each, "events"),
                  text(each, "sent"),
                  text(each, "selected")));
    }
  }

  private static String state(JsonNode replay) {
    if (replay.path("cancelled").asBoolean()) {
      return "cancelled";
    }
    return replay.path("finishedAt").isNull() ? "under way" : "done";
  }

  void cancelled(JsonNode result) {
    terminal.say("Cancelled; %s events stay unsent.".formatted(text(result, "unsent")));
  }

  void switched(JsonNode result) {
    String now = result.path("paused").asBoolean() ? "No relay publishes" : "The relays publish";
    terminal.say(now + (result.path("changed").asBoolean() ? "." : ", as before."));
  }
}
