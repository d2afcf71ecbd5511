package id.kabar.localstack.site;

import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A command line program, run in the checkout.
 *
 * @param command the program and what each of its calls begins with
 */
record Tool(Path folder, List<String> command) {

  private static final int PATIENCE_SECONDS = 30;

  Tool(Path folder, String program) {
    this(folder, List.of(program));
  }

  Tool with(String... words) {
    return new Tool(folder, line(words));
  }

  /** What it prints. */
  String run(String... words) {
    Result result = result(words);
    if (result.code() != 0) {
      throw new ServerFailed(
          "`%s` failed: %s".formatted(String.join(" ", line(words)), result.errors().strip()));
    }
    return result.output().strip();
  }

  /** Whether it is installed, succeeds, and has something to say. */
  boolean prints(String... words) {
    try {
      Result result = result(words);
      return result.code() == 0 && !result.output().isBlank();
    } catch (ServerFailed notInstalled) {
      return false;
    }
  }

  /** Leaves it running; its output and its errors are to be read. */
  Process start(String... words) {
    try {
      return new ProcessBuilder(line(words))
          .directory(folder.toFile())
          .redirectErrorStream(true)
          .start();
    } catch (IOException e) {
      throw new ServerFailed("%s cannot be started: %s".formatted(command.getFirst(), e), e);
    }
  }

  private record Result(int code, String output, String errors) {}

  private Result result(String... words) {
    try {
      Path output = Files.createTempFile("kabar", ".out");
      Path errors = Files.createTempFile("kabar", ".err");
      try {
        Process process =
            new ProcessBuilder(line(words))
                .directory(folder.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new ServerFailed("`%s` does not answer.".formatted(String.join(" ", line(words))));
        }
        return new Result(process.exitValue(), Files.readString(output), Files.readString(errors));
      } finally {
        Files.delete(output);
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new ServerFailed("%s cannot be run: %s".formatted(command.getFirst(), e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed("interrupted", e);
    }
  }

  private List<String> line(String... words) {
    List<String> line = new ArrayList<>(command);
    line.addAll(List.of(words));
    return line;
  }
}
