package id.kabar.localstack.command;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import id.kabar.localstack.command.Operator.Letter;
import id.kabar.localstack.site.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "[COMMAND]",
    description = "Counts the open dead letters by cause; waits for them, or discards them.",
    subcommands = {
      LetterQueries.ListLetters.class,
      LetterQueries.Counts.class,
      LetterQueries.Show.class,
      LetterActs.Replay.class,
      LetterQueries.Jobs.class,
      LetterActs.Cancel.class,
      LetterActs.Discard.class
    })
final class DeadLetters implements Callable<Integer> {

  private static final Duration LOOK = Duration.ofMillis(250);

  @ParentCommand private Kabar kabar = new Kabar();

  @Mixin private On on = new On();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only those that failed since then (2026-11-30T12:00:00Z).")
  private @Nullable Instant since;

  @Option(names = "--cause", paramLabel = "CAUSE", description = "Only those of this cause.")
  private @Nullable String cause;

  @Option(
      names = "--await",
      paramLabel = "N",
      defaultValue = "0",
      description = "Wait until there are so many.")
  private int awaited;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "How long to wait (${DEFAULT-VALUE}).")
  private int patienceSeconds;

  @Option(names = "--discard", paramLabel = "REASON", description = "Discard them.")
  private @Nullable String reason;

  Kabar kabar() {
    return kabar;
  }

  @Override
  public Integer call() {
    Terminal terminal = kabar.terminal();
    try (Site site = kabar.site(on)) {
      Operator operator = new Operator(site);
      List<Letter> open = await(operator);
      terminal.say(counted(open));
      if (open.size() < awaited) {
        terminal.error("Not %d within %d s.".formatted(awaited, patienceSeconds));
        return 1;
      }
      if (reason != null) {
        String why = reason;
        open.forEach(letter -> operator.discard(letter, why));
        terminal.say("Discarded.");
      }
    }
    return 0;
  }

  private List<Letter> await(Operator operator) {
    long deadline = System.nanoTime() + Duration.ofSeconds(patienceSeconds).toNanos();
    List<Letter> open = operator.open(since, cause);
    while (open.size() < awaited && System.nanoTime() < deadline) {
      LockSupport.parkNanos(LOOK.toNanos());
      open = operator.open(since, cause);
    }
    return open;
  }

  private static String counted(List<Letter> open) {
    String causes =
        open.stream()
            .collect(groupingBy(Letter::cause, TreeMap::new, counting()))
            .entrySet()
            .stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(joining(", "));
    return "%d open dead letters%s".formatted(open.size(), open.isEmpty() ? "" : ": " + causes);
  }
}
