package id.kabar.localstack.chaos;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.chaos.ChaosRun.Access;
import id.kabar.localstack.chaos.ChaosRun.Report;
import id.kabar.localstack.history.History;
import id.kabar.localstack.history.History.DeadLetter;
import id.kabar.localstack.history.HistoryCheck;
import id.kabar.localstack.history.HistoryFile;
import id.kabar.localstack.history.HistoryReader;
import id.kabar.localstack.history.Run;
import id.kabar.localstack.history.RunFigures;
import id.kabar.localstack.history.Verdict;
import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * How a run ends: its news comes to rest, its dead letters are sent again, and its history is
 * written down and judged.
 */
final class Ending {

  private static final Duration REST = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMillis(500);

  private final LocalStack stack;
  private final Access access;
  private final Notes notes;
  private final Consumer<String> live;
  private final HistoryReader reader;

  Ending(LocalStack stack, Access access, Notes notes, Consumer<String> live) {
    this.stack = stack;
    this.access = access;
    this.notes = notes;
    this.live = live;
    this.reader = new HistoryReader(access.sources(stack));
  }

  /**
   * Returns when nothing is on its way and no dead letter is open, or when time is up.
   *
   * @param healed since when nothing is broken and nobody buys
   * @return how long it took from then until nothing was on its way; null if it never was
   */
  @Nullable Duration settle(Instant healed) throws InterruptedException {
    Duration settled = awaitRest(healed);
    sendAgain();
    return settled;
  }

  Report judge(
      long seed, Instant begun, Instant healed, @Nullable Duration settled, List<String> troubles) {
    History history = reader.read(List.of());
    Run run =
        new Run(
            seed,
            begun,
            healed,
            settled,
            notes.operations(),
            notes.disturbances(),
            notes.samples());
    Path file = stack.home().resolve("history.jsonl");
    HistoryFile.write(file, run, history);
    return new Report(
        HistoryCheck.judge(history, run),
        RunFigures.of(run, history),
        troubles,
        indiscretions(),
        file);
  }

  private @Nullable Duration awaitRest(Instant healed) throws InterruptedException {
    live.accept("Waiting until nothing is on its way ...");
    Instant deadline = Instant.now().plus(REST);
    while (Instant.now().isBefore(deadline)) {
      Verdict now = judgeSoFar();
      if (now != null && now.isAtRest()) {
        return Duration.between(healed, Instant.now());
      }
      Thread.sleep(LOOK);
    }
    return null;
  }

  /** Until no letter is open, also of those whose email was accepted after all, or time is up. */
  private void sendAgain() throws InterruptedException {
    Instant deadline = Instant.now().plus(REST);
    int sent = 0;
    while (Instant.now().isBefore(deadline)) {
      Verdict now = judgeSoFar();
      if (now != null && now.isAtRest()) {
        if (!hasOpenLetters()) {
          break;
        }
        try {
          sent += access.replay(stack);
        } catch (ServerFailed notYet) {
          live.accept("  (not sent again yet: %s)".formatted(notYet.getMessage()));
        }
      }
      Thread.sleep(LOOK);
    }
    live.accept("%d dead letters were sent again.".formatted(sent));
  }

  private boolean hasOpenLetters() {
    return reader.read(List.of()).deadLetters().stream().anyMatch(DeadLetter::isOpen);
  }

  private @Nullable Verdict judgeSoFar() {
    try {
      return HistoryCheck.judge(reader.read(List.of()));
    } catch (IllegalStateException | UncheckedIOException | KafkaException notYet) {
      return null;
    }
  }

  private long indiscretions() {
    try (Stream<Path> logs = Files.list(stack.home().resolve("logs"))) {
      long lines = 0;
      for (Path log : logs.toList()) {
        try (Stream<String> all = Files.lines(log, StandardCharsets.ISO_8859_1)) {
          lines += all.filter(line -> line.contains(Till.DOMAIN)).count();
        }
      }
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
