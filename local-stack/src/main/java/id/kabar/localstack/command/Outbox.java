package id.kabar.localstack.command;

import id.kabar.localstack.site.Site;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "outbox",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "What waits in the outbox, and what an operator can do with it.",
    subcommands = {
      Outbox.Status.class,
      Outbox.Parked.class,
      Outbox.Retry.class,
      Outbox.Discard.class,
      OutboxReplays.Start.class,
      OutboxReplays.Latest.class,
      OutboxReplays.Cancel.class,
      Outbox.Pause.class,
      Outbox.Resume.class
    })
final class Outbox {

  /** One question to a relay, or one order. */
  abstract static class AtRelay extends OperatorCommand {

    abstract JsonNode ask(OutboxOperator relay);

    abstract void print(JsonNode answer, OutboxReport report);

    @Override
    final JsonNode ask(Site site) {
      return ask(new OutboxOperator(site));
    }

    @Override
    final void print(JsonNode answer, Terminal terminal) {
      print(answer, new OutboxReport(terminal));
    }
  }

  /** Which parked events are meant. */
  static final class WhichParked {

    @Option(names = "--id", paramLabel = "EVENT", description = "This event.")
    private @Nullable UUID id;

    @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type.")
    private @Nullable String type;

    @Option(names = "--aggregate", paramLabel = "ID", description = "Events of this order.")
    private @Nullable String aggregate;

    @Option(names = "--error", paramLabel = "TEXT", description = "With this in their reason.")
    private @Nullable String error;

    Map<String, Object> criteria() {
      Map<String, Object> criteria = new LinkedHashMap<>();
      put(criteria, "id", id);
      put(criteria, "eventType", type);
      put(criteria, "aggregateId", aggregate);
      put(criteria, "error", error);
      return criteria;
    }
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "How much waits, for how long, in which buckets; who relays; whether paused.")
  static final class Status extends AtRelay {

    @Override
    JsonNode ask(OutboxOperator relay) {
      return relay.get("", Map.of());
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.status(answer);
    }
  }

  @Command(
      name = "parked",
      mixinStandardHelpOptions = true,
      description = "Events that wait for an operator, with their reasons.")
  static final class Parked extends AtRelay {

    @Mixin private WhichParked which = new WhichParked();

    @Override
    JsonNode ask(OutboxOperator relay) {
      return relay.get("/parked", which.criteria());
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.parked(answer);
    }
  }

  /** Something done to parked events. */
  abstract static class ToParked extends AtRelay {

    @Mixin private WhichParked which = new WhichParked();

    @Option(names = "--all", description = "Every parked event.")
    private boolean all;

    @Option(names = "--dry-run", description = "Only count them.")
    private boolean dryRun;

    abstract String action();

    @Nullable String reason() {
      return null;
    }

    @Override
    JsonNode ask(OutboxOperator relay) {
      Map<String, Object> order = which.criteria();
      order.put("all", all);
      order.put("dryRun", dryRun);
      put(order, "reason", reason());
      return relay.post("/parked/" + action(), order);
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.selected(answer);
    }
  }

  @Command(
      name = "retry",
      mixinStandardHelpOptions = true,
      description = "Sends parked events again, from their first attempt.")
  static final class Retry extends ToParked {

    @Override
    String action() {
      return "retry";
    }
  }

  @Command(
      name = "discard",
      mixinStandardHelpOptions = true,
      description = "Never sends parked events; their orders' later events go on.")
  static final class Discard extends ToParked {

    @Option(names = "--reason", paramLabel = "TEXT", description = "For the audit line.")
    private @Nullable String reason;

    @Override
    String action() {
      return "discard";
    }

    @Override
    @Nullable String reason() {
      return reason;
    }
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Stops all relays, also over their restarts; returns when nothing is sent.")
  static final class Pause extends AtRelay {

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why.")
    private String reason = "";

    @Override
    JsonNode ask(OutboxOperator relay) {
      return relay.post("/pause", Map.of("reason", reason));
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.switched(answer);
    }
  }

  @Command(name = "resume", mixinStandardHelpOptions = true, description = "Lets them go on.")
  static final class Resume extends AtRelay {

    @Override
    JsonNode ask(OutboxOperator relay) {
      return relay.post("/resume", Map.of());
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.switched(answer);
    }
  }

  static void put(Map<String, Object> values, String name, @Nullable Object value) {
    if (value != null) {
      values.put(name, value instanceof Integer ? value : value.toString());
    }
  }
}
