package id.kabar.localstack.command;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dead letters and replays, for people. */
final class LetterTable {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private LetterTable() {}

  static void letters(JsonNode page, Terminal terminal) {
    JsonNode letters = page.required("letters");
    if (letters.isEmpty()) {
      terminal.say("No such dead letters.");
      return;
    }
    String row = "%8s  %-9s  %-20s  %-19s  %5s  %7s  %-36s  %s";
    terminal.title(
        row.formatted(
            "ID", "STATE", "CAUSE", "FAILED (UTC)", "TRIES", "REPLAYS", "ORDER", "DETAIL"));
    for (JsonNode letter : letters) {
      terminal.say(
          row.formatted(
              text(letter, "id"),
              text(letter, "state"),
              text(letter, "cause"),
              time(letter, "lastFailedAt"),
              text(letter, "attempts"),
              replays(letter),
              text(letter, "orderId"),
              text(letter, "detail") + note(letter)));
    }
    if (page.path("next").isNumber()) {
      terminal.say("There are more: --after " + text(page, "next"));
    }
  }

  private static int replays(JsonNode letter) {
    return letter.path("replays").asInt() + letter.path("redrives").asInt();
  }

  private static String note(JsonNode letter) {
    if (letter.path("quarantined").asBoolean()) {
      return " (only --force replays it)";
    }
    return letter.path("redrivesItself").asBoolean() ? " (sent again by itself)" : "";
  }

  static void causes(JsonNode causes, Terminal terminal) {
    if (causes.isEmpty()) {
      terminal.say("No dead letters.");
      return;
    }
    String row = "%-20s  %8s  %8s  %8s  %9s";
    terminal.title(row.formatted("CAUSE", "OPEN", "REPLAYED", "RESOLVED", "DISCARDED"));
    for (var cause : causes.properties()) {
      terminal.say(
          row.formatted(
              cause.getKey(),
              cause.getValue().path("OPEN").asLong(),
              cause.getValue().path("REPLAYED").asLong(),
              cause.getValue().path("RESOLVED").asLong(),
              cause.getValue().path("DISCARDED").asLong()));
    }
  }

  static void letter(JsonNode whole, Terminal terminal) {
    JsonNode letter = whole.required("letter");
    terminal.title(
        "Letter %s: %s, %s, %s"
            .formatted(
                text(letter, "id"),
                text(letter, "state"),
                text(letter, "cause"),
                text(letter, "detail")));
    terminal.say("order %s, event %s".formatted(text(letter, "orderId"), text(letter, "eventId")));
    terminal.say(
        "failed %s times from %s to %s UTC, replayed %d times%s"
            .formatted(
                text(letter, "attempts"),
                time(letter, "firstFailedAt"),
                time(letter, "lastFailedAt"),
                replays(letter),
                note(letter)));
    JsonNode obstacle = whole.path("obstacle");
    if (obstacle.isObject() && text(letter, "state").equals("OPEN")) {
      terminal.say("A replay is refused: " + text(obstacle, "explanation"));
    }
    attempts(whole, terminal);
    history(whole, terminal);
    terminal.title("Content, %s bytes".formatted(text(whole, "payloadBytes")));
    terminal.say(pretty(whole.path("payload")));
    if (whole.path("headers").isObject()) {
      terminal.title("Headers");
      terminal.say(pretty(whole.path("headers")));
    }
  }

  private static void attempts(JsonNode whole, Terminal terminal) {
    terminal.title("Attempts that failed");
    for (JsonNode attempt : whole.required("attempts")) {
      terminal.say(
          "%4s  %s  %-20s  %s%s"
              .formatted(
                  text(attempt, "number"),
                  time(attempt, "at"),
                  text(attempt, "cause"),
                  text(attempt, "detail"),
                  attempt.path("outcomeUnknown").asBoolean()
                      ? "; it may have been accepted all the same"
                      : ""));
    }
  }

  private static void history(JsonNode whole, Terminal terminal) {
    if (whole.required("history").isEmpty()) {
      return;
    }
    terminal.title("What was done");
    for (JsonNode act : whole.required("history")) {
      terminal.say(
          "%s  %-20s  %-14s  %s%s"
              .formatted(
                  time(act, "at"),
                  text(act, "operator"),
                  text(act, "action"),
                  act.path("job").isNumber() ? "replay " + text(act, "job") + " " : "",
                  act.path("reason").asString("")));
    }
  }

  static void jobs(JsonNode page, Terminal terminal) {
    if (page.required("jobs").isEmpty()) {
      terminal.say("No replays.");
      return;
    }
    String row = "%6s  %-9s  %-19s  %7s  %8s  %7s  %-20s  %s";
    terminal.title(
        row.formatted(
            "REPLAY", "STATE", "BEGUN (UTC)", "LETTERS", "REPLAYED", "REFUSED", "BY", "FILTER"));
    for (JsonNode job : page.required("jobs")) {
      terminal.say(
          row.formatted(
              text(job, "id"),
              text(job, "state"),
              time(job, "createdAt"),
              text(job, "letters"),
              text(job, "replayed"),
              text(job, "refused"),
              text(job.required("request"), "by"),
              text(job.required("request"), "filter")));
    }
  }

  static void job(JsonNode job, Terminal terminal) {
    terminal.say(
        "Replay %s is %s: of %s letters (%s) %s are sent again, %s refused, %s waiting."
            .formatted(
                text(job, "id"),
                text(job, "state"),
                text(job, "letters"),
                text(job.required("request"), "filter"),
                text(job, "replayed"),
                text(job, "refused"),
                text(job, "waiting")));
    if (job.path("waitsFor").isString()) {
      terminal.say("It waits for %s.".formatted(text(job, "waitsFor")));
    }
    for (var state : job.required("today").properties()) {
      terminal.say(
          "  %s of those sent again: %s".formatted(state.getValue().asLong(), state.getKey()));
    }
    refusals(job.required("refusals"), terminal);
  }

  static void report(JsonNode report, Terminal terminal) {
    boolean dryRun = report.required("dryRun").asBoolean();
    JsonNode job = report.path("job");
    if (dryRun) {
      terminal.say(
          "Of %s open letters that match %s would be sent again."
              .formatted(text(report, "matched"), text(report, "replayed")));
    } else if (job.isObject()) {
      terminal.say(
          "Replay %s sends %s letters again. `./kabar dead-letters jobs %s` shows how far it is."
              .formatted(text(job, "id"), text(job, "letters"), text(job, "id")));
    } else {
      terminal.say("There is nothing to send again.");
    }
    for (var reason : report.required("refusals").properties()) {
      terminal.say("  %s refused: %s".formatted(reason.getValue().asLong(), reason.getKey()));
    }
    refusals(report.required("refused"), terminal);
    if (report.path("notLookedAt").asLong() > 0) {
      terminal.say("%s more are beyond the limit.".formatted(text(report, "notLookedAt")));
    }
  }

  private static void refusals(JsonNode refused, Terminal terminal) {
    for (JsonNode each : refused) {
      terminal.say(
          "  letter %s, %s: %s"
              .formatted(text(each, "id"), text(each, "reason"), text(each, "explanation")));
    }
  }

  private static String pretty(JsonNode node) {
    return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(node);
  }

  private static String text(JsonNode node, String field) {
    return node.path(field).asString("-");
  }

  private static String time(JsonNode node, String field) {
    JsonNode time = node.path(field);
    return time.isString() ? TIME.format(Instant.parse(time.asString())) : "-";
  }
}
