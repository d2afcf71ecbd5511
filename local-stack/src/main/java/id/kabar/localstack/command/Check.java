package id.kabar.localstack.command;

import id.kabar.localstack.history.Excerpt;
import id.kabar.localstack.history.Figures;
import id.kabar.localstack.history.History;
import id.kabar.localstack.history.History.Delivery;
import id.kabar.localstack.history.HistoryCheck;
import id.kabar.localstack.history.HistoryFile;
import id.kabar.localstack.history.HistoryReader;
import id.kabar.localstack.history.RunFigures;
import id.kabar.localstack.history.Verdict;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.site.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.json.JsonMapper;

@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Holds payments, topic, dead letters and inbox against each other, once all news has arrived.",
      "The stub's memory dies with it: leave out earlier orders by --since, or give its --account."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:everything agrees",
      "1:it does not, or not all news arrived in time",
      "2:the command was not understood",
      "3:no Kabar runs"
    })
final class Check implements Callable<Integer> {

  private static final Duration LOOK = Duration.ofMillis(500);

  @ParentCommand private Kabar kabar = new Kabar();

  @Mixin private On on = new On();

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only orders created since then (2026-11-30T12:00:00Z).")
  private Instant since = Instant.EPOCH;

  @Option(
      names = "--payments",
      paramLabel = "N",
      defaultValue = "0",
      description = "There must be at least so many.")
  private int payments;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "0",
      description = "There must be at least so many repeated records.")
  private int repeats;

  @Option(
      names = "--all-mailed",
      description = "Every payment must be mailed; a dead letter is not enough.")
  private boolean allMailed;

  @Option(
      names = "--replay",
      description = "Send open dead letters again until every payment is mailed.")
  private boolean replay;

  @Option(
      names = "--midway",
      description = "News may still be on its way, and the provider may be away.")
  private boolean midway;

  @Option(
      names = "--account",
      paramLabel = "FILE",
      description = "What the stub did before it was killed, from `kabar provider account`.")
  private @Nullable Path account;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "180",
      description = "How long to wait for all news to arrive (${DEFAULT-VALUE}).")
  private int patienceSeconds;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "Judge what `kabar chaos` has written down, and nothing that runs.")
  private @Nullable Path history;

  @Override
  public Integer call() {
    if (history != null) {
      return judge(history);
    }
    List<Delivery> earlier = account == null ? List.of() : read(account);
    try (Site site = kabar.site(on)) {
      HistoryReader reader = new HistoryReader(site.sources());
      Operator operator = new Operator(site);
      return await(reader, operator, earlier);
    }
  }

  private int judge(Path file) {
    HistoryFile.Contents contents = HistoryFile.read(file);
    Verdict verdict = HistoryCheck.judge(contents.history(), contents.run());
    Terminal terminal = kabar.terminal();
    terminal.say(RunFigures.of(contents.run(), contents.history()).toString());
    terminal.say(verdict.toString().stripTrailing());
    return verdict.isSettled() ? 0 : 1;
  }

  private int await(HistoryReader reader, Operator operator, List<Delivery> earlier) {
    long deadline = System.nanoTime() + Duration.ofSeconds(patienceSeconds).toNanos();
    Verdict before = null;
    while (true) {
      try {
        Verdict verdict = judge(reader, earlier);
        List<String> missing = missing(verdict);
        boolean lasts = isAtRest(verdict) && !verdict.isClean() && verdict.equals(before);
        if (missing.isEmpty() || lasts || System.nanoTime() > deadline) {
          return told(verdict, missing, lasts);
        }
        if (replay && isAtRest(verdict) && verdict.figures().deadLettered() > 0) {
          operator.replay(since.equals(Instant.EPOCH) ? null : since);
        }
        before = verdict;
      } catch (IllegalStateException | UncheckedIOException | KafkaException | ServerFailed away) {
        if (System.nanoTime() > deadline) {
          throw new ServerFailed(
              "Not everybody answers after %d s: %s".formatted(patienceSeconds, away.getMessage()),
              away);
        }
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  private Verdict judge(HistoryReader reader, List<Delivery> earlier) {
    History whole =
        midway ? reader.readAllButProvider(known(reader, earlier)) : reader.read(earlier);
    return HistoryCheck.judge(Excerpt.since(since, whole));
  }

  private static List<Delivery> known(HistoryReader reader, List<Delivery> earlier) {
    List<Delivery> known = new ArrayList<>(earlier);
    try {
      known.addAll(reader.inbox());
    } catch (UncheckedIOException away) {
      return earlier; // it is allowed to be
    }
    return known;
  }

  /** What there must be and is not, a sentence each. */
  private List<String> missing(Verdict verdict) {
    Figures figures = verdict.figures();
    List<String> missing = new ArrayList<>();
    if (!verdict.isClean()) {
      missing.add("promises are broken");
    }
    if (!midway && !isAtRest(verdict)) {
      missing.add(
          "%d payments are still on their way, %d emails unfinished"
              .formatted(figures.pending(), figures.sending()));
    }
    if (figures.payments() < payments) {
      missing.add("%d payments, not %d".formatted(figures.payments(), payments));
    }
    if (figures.repeats() < repeats) {
      missing.add("%d repeated records, not %d".formatted(figures.repeats(), repeats));
    }
    if ((allMailed || replay) && figures.mailed() < figures.payments()) {
      missing.add("%d of %d payments are mailed".formatted(figures.mailed(), figures.payments()));
    }
    return missing;
  }

  private static boolean isAtRest(Verdict verdict) {
    return verdict.figures().pending() == 0 && verdict.figures().sending() == 0;
  }

  private int told(Verdict verdict, List<String> missing, boolean lasts) {
    Terminal terminal = kabar.terminal();
    terminal.say(verdict.toString().stripTrailing());
    if (missing.isEmpty()) {
      return 0;
    }
    terminal.error(
        (lasts ? "" : "After %d s: ".formatted(patienceSeconds))
            + String.join("; ", missing)
            + ".");
    return 1;
  }

  private static List<Delivery> read(Path account) {
    try {
      return Files.readAllLines(account).stream()
          .filter(line -> !line.isBlank())
          .map(line -> JsonMapper.shared().readValue(line, Delivery.class))
          .toList();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The account %s cannot be read: %s".formatted(account, e.getMessage()), e);
    }
  }
}
