package id.kabar.localstack.command;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Looking at dead letters. */
final class LetterQueries {

  private LetterQueries() {}

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists dead letters, the newest first; no address is shown.")
  static final class ListLetters extends LetterCommand {

    @Mixin private Which which = new Which();

    @Option(
        names = "--state",
        paramLabel = "STATE",
        description = "OPEN, REPLAYED, RESOLVED or DISCARDED; all of them if left out.")
    private @Nullable String state;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "50",
        description = "At most so many, up to 500 (${DEFAULT-VALUE}).")
    private int limit;

    @Option(
        names = "--after",
        paramLabel = "ID",
        description = "The page after the one that ended with this letter.")
    private @Nullable Long after;

    @Override
    int ask(Operator operator, Terminal terminal) {
      Map<String, Object> parameters = which.filter();
      parameters.put("limit", limit);
      if (state != null) {
        parameters.put("state", state.toUpperCase(Locale.ROOT));
      }
      if (after != null) {
        parameters.put("after", after);
      }
      JsonNode page = operator.get(Which.query(parameters));
      if (!answered(page, terminal)) {
        LetterTable.letters(page, terminal);
      }
      return 0;
    }
  }

  @Command(
      name = "counts",
      mixinStandardHelpOptions = true,
      description = "Counts dead letters by cause and state.")
  static final class Counts extends LetterCommand {

    @Override
    int ask(Operator operator, Terminal terminal) {
      JsonNode causes = operator.get("/causes");
      if (!answered(causes, terminal)) {
        LetterTable.causes(causes, terminal);
      }
      return 0;
    }
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Shows one dead letter: what it says, what was tried, and what was done to it.")
  static final class Show extends LetterCommand {

    @Parameters(paramLabel = "ID", description = "The letter.")
    private long id;

    @Option(
        names = "--full",
        description = "With the customer's address and the headers; this is written down.")
    private boolean full;

    @Override
    int ask(Operator operator, Terminal terminal) {
      JsonNode letter = operator.get("/" + id + (full ? "?full=true" : ""));
      if (!answered(letter, terminal)) {
        LetterTable.letter(letter, terminal);
      }
      return 0;
    }
  }

  @Command(
      name = "jobs",
      mixinStandardHelpOptions = true,
      description = "Lists the replays, the newest first, or shows one of them.")
  static final class Jobs extends LetterCommand {

    @Parameters(paramLabel = "JOB", arity = "0..1", description = "Only this one.")
    private @Nullable Long job;

    @Override
    int ask(Operator operator, Terminal terminal) {
      JsonNode answer = operator.get(job == null ? "/jobs" : "/jobs/" + job);
      if (!answered(answer, terminal)) {
        if (job == null) {
          LetterTable.jobs(answer, terminal);
        } else {
          LetterTable.job(answer, terminal);
        }
      }
      return 0;
    }
  }
}
