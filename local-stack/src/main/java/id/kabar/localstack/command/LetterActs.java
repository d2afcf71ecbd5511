package id.kabar.localstack.command;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Doing something with dead letters. Who does not say which ones has to say that it is all. */
final class LetterActs {

  private LetterActs() {}

  /** Picked by hand, or by what they are. */
  abstract static class OnMany extends LetterCommand {

    @Parameters(paramLabel = "ID", arity = "0..*", description = "Only these letters.")
    private List<Long> ids = List.of();

    @Mixin private Which which = new Which();

    @Option(names = "--all", description = "All open letters, where nothing else restricts them.")
    private boolean all;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, the oldest first.")
    private @Nullable Integer limit;

    @Option(names = "--dry-run", description = "Only say what would happen.")
    private boolean dryRun;

    Map<String, Object> request(@Nullable String reason) {
      Map<String, Object> request = which.filter();
      if (!ids.isEmpty()) {
        request.put("ids", ids);
      }
      if (request.isEmpty() && !all) {
        throw new IllegalArgumentException(
            "Which letters? Give their ids, --cause, --order, --since or --until; or --all.");
      }
      if (limit != null) {
        request.put("limit", limit);
      }
      if (reason != null) {
        request.put("reason", reason);
      }
      request.put("dryRun", dryRun);
      return request;
    }

    List<Long> ids() {
      return ids;
    }

    boolean dryRun() {
      return dryRun;
    }
  }

  @Command(
      name = "replay",
      mixinStandardHelpOptions = true,
      description = {
        "Sends open letters again, the oldest first, and waits for the end.",
        "The replay goes on by itself; interrupting this command does not stop it."
      })
  static final class Replay extends OnMany {

    private static final Duration LOOK = Duration.ofMillis(300);

    @Option(names = "--rate", paramLabel = "N", description = "At most so many per second.")
    private @Nullable Integer perSecond;

    @Option(names = "--reason", paramLabel = "WHY", description = "For the record.")
    private @Nullable String reason;

    @Option(
        names = "--force",
        description =
            "Also after too many replays, or where a second email is possible; one letter.")
    private boolean force;

    @Option(
        names = {"-d", "--detach"},
        description = "Do not wait for the end.")
    private boolean detach;

    @Override
    int ask(Operator operator, Terminal terminal) {
      if (force) {
        return forced(operator, terminal);
      }
      Map<String, Object> request = request(reason);
      if (perSecond != null) {
        request.put("perSecond", perSecond);
      }
      JsonNode report = operator.post("/replay", request);
      JsonNode job = report.path("job");
      if (job.isObject() && !detach) {
        JsonNode ended = await(operator, job.required("id").asLong(), terminal);
        if (!answered(ended, terminal)) {
          LetterTable.job(ended, terminal);
        }
        return 0;
      }
      if (!answered(report, terminal)) {
        LetterTable.report(report, terminal);
      }
      return 0;
    }

    private int forced(Operator operator, Terminal terminal) {
      if (ids().size() != 1 || reason == null || dryRun()) {
        throw new IllegalArgumentException(
            "--force is for one letter, by its id, with a --reason.");
      }
      JsonNode letter =
          operator.post(
              "/%d/replay".formatted(ids().getFirst()), Map.of("force", true, "reason", reason));
      if (!answered(letter, terminal)) {
        terminal.good("Letter %d is on its way.".formatted(ids().getFirst()));
      }
      return 0;
    }

    private JsonNode await(Operator operator, long id, Terminal terminal) {
      String told = "";
      while (true) {
        JsonNode job = operator.get("/jobs/" + id);
        if (!job.required("state").asString().equals("RUNNING")) {
          return job;
        }
        String waits = job.path("waitsFor").asString("");
        if (forPeople() && waits.startsWith("the provider") && !waits.equals(told)) {
          terminal.say("Replay %d waits for %s.".formatted(id, waits));
        }
        told = waits;
        LockSupport.parkNanos(LOOK.toNanos());
      }
    }
  }

  @Command(
      name = "discard",
      mixinStandardHelpOptions = true,
      description = "Closes open letters for good: nobody will get their emails.")
  static final class Discard extends OnMany {

    @Option(names = "--reason", paramLabel = "WHY", description = "For the record; needed.")
    private @Nullable String reason;

    @Override
    int ask(Operator operator, Terminal terminal) {
      if (reason == null && !dryRun()) {
        throw new IllegalArgumentException("To discard letters give a --reason.");
      }
      JsonNode report = operator.post("/discard", request(reason));
      if (!answered(report, terminal)) {
        terminal.say(
            (report.required("dryRun").asBoolean()
                    ? "%d letters would be discarded."
                    : "%d letters are discarded.")
                .formatted(report.required("discarded").asInt()));
      }
      return 0;
    }
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Ends a replay; the letters it has not come to stay where they are.")
  static final class Cancel extends LetterCommand {

    @Parameters(paramLabel = "JOB", description = "The replay.")
    private long job;

    @Option(names = "--reason", paramLabel = "WHY", description = "For the record.")
    private @Nullable String reason;

    @Override
    int ask(Operator operator, Terminal terminal) {
      JsonNode answer =
          operator.post(
              "/jobs/%d/cancel".formatted(job),
              reason == null ? Map.of() : Map.of("reason", reason));
      if (!answered(answer, terminal)) {
        LetterTable.job(answer, terminal);
      }
      return 0;
    }
  }
}
