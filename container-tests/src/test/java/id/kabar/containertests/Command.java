package id.kabar.containertests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command line program, run in the checkout to its end or to the end of our patience. */
record Command(List<String> line, Map<String, String> environment, Duration patience) {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static Command of(String... line) {
    return of(List.of(line));
  }

  static Command of(List<String> line) {
    return new Command(line, Map.of(), PATIENCE);
  }

  Command with(Map<String, String> environment) {
    return new Command(line, environment, patience);
  }

  Command within(Duration patience) {
    return new Command(line, environment, patience);
  }

  /** What a program said, and with which code it ended. */
  record Result(List<String> line, int code, String output, String errors) {

    boolean succeeded() {
      return code == 0;
    }

    /** The output of a program that succeeded. */
    String orFail() {
      if (!succeeded()) {
        throw new AssertionError(
            "%s ended with code %d:%n%s%s"
                .formatted(String.join(" ", line), code, tail(output), tail(errors)));
      }
      return output;
    }

    private static String tail(String text) {
      List<String> lines = text.lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()))
          + (lines.isEmpty() ? "" : "\n");
    }
  }

  /** Its output, without the last line's end; fails with what it said if it does not succeed. */
  String run() {
    return tryToRun().orFail().stripTrailing();
  }

  Result tryToRun() {
    try {
      Path output = Files.createTempFile("output", ".txt");
      Path errors = Files.createTempFile("errors", ".txt");
      try {
        return result(output, errors);
      } finally {
        Files.delete(output);
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", line) + " cannot be run", e);
    }
  }

  private Result result(Path output, Path errors) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(Checkout.ROOT.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError(
            "%s takes longer than %s; so far it said:%n%s%s"
                .formatted(
                    String.join(" ", line),
                    patience,
                    Files.readString(output),
                    Files.readString(errors)));
      }
      return new Result(
          line, process.exitValue(), Files.readString(output), Files.readString(errors));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(String.join(" ", line) + " was interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Whether there is such a program and it ends well. */
  static boolean works(String... line) {
    try {
      return Command.of(Arrays.asList(line)).tryToRun().succeeded();
    } catch (UncheckedIOException e) {
      return false; // it is not installed
    }
  }
}
