package id.kabar.localstack.command;

import static id.kabar.localstack.command.Outbox.put;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** What `outbox` can do with published events. */
final class OutboxReplays {

  @Command(
      name = "replay",
      mixinStandardHelpOptions = true,
      description = {
        "Sends published events again from the archive, under their own ids.",
        "Whoever removes repeats by event id, as notification-service does, sees nothing new."
      })
  static final class Start extends Outbox.AtRelay {

    @Option(names = "--id", paramLabel = "EVENT", description = "This event.")
    private @Nullable UUID id;

    @Option(names = "--aggregate", paramLabel = "ID", description = "Events of this order.")
    private @Nullable String aggregate;

    @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type.")
    private @Nullable String type;

    @Option(names = "--from", paramLabel = "TIME", description = "Published since then.")
    private @Nullable Instant from;

    @Option(names = "--before", paramLabel = "TIME", description = "Published before then.")
    private @Nullable Instant before;

    @Option(names = "--first-id", paramLabel = "EVENT", description = "The first id of a range.")
    private @Nullable UUID firstId;

    @Option(names = "--last-id", paramLabel = "EVENT", description = "The last id of a range.")
    private @Nullable UUID lastId;

    @Option(names = "--all", description = "Everything the archive can send again.")
    private boolean all;

    @Option(names = "--per-second", paramLabel = "N", description = "Events a second (100).")
    private @Nullable Integer perSecond;

    @Option(names = "--dry-run", description = "Only count them.")
    private boolean dryRun;

    @Option(names = "--reason", paramLabel = "TEXT", description = "For the audit line.")
    private @Nullable String reason;

    @Override
    JsonNode ask(OutboxOperator relay) {
      Map<String, Object> order = new LinkedHashMap<>();
      put(order, "id", id);
      put(order, "aggregateId", aggregate);
      put(order, "eventType", type);
      put(order, "publishedFrom", from);
      put(order, "publishedBefore", before);
      put(order, "firstId", firstId);
      put(order, "lastId", lastId);
      put(order, "perSecond", perSecond);
      put(order, "reason", reason);
      order.put("all", all);
      order.put("dryRun", dryRun);
      return relay.post("/replays", order);
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.replay(answer);
    }
  }

  @Command(
      name = "replays",
      mixinStandardHelpOptions = true,
      description = "The latest replays, and how far they are.")
  static final class Latest extends Outbox.AtRelay {

    @Override
    JsonNode ask(OutboxOperator relay) {
      return relay.get("/replays", Map.of());
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.replays(answer);
    }
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Ends a replay; what it has not sent yet stays unsent.")
  static final class Cancel extends Outbox.AtRelay {

    @Parameters(paramLabel = "REPLAY", description = "Its number, see `replays`.")
    private long replay;

    @Override
    JsonNode ask(OutboxOperator relay) {
      return relay.post("/replays/%d/cancel".formatted(replay), Map.of());
    }

    @Override
    void print(JsonNode answer, OutboxReport report) {
      report.cancelled(answer);
    }
  }

  private OutboxReplays() {}
}
