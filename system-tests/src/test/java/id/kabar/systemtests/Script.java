package id.kabar.systemtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs in the checkout and hears what they say. */
final class Script {

  static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

  private static final int PATIENCE_SECONDS = 300;

  private Script() {}

  /**
   * The end of a run.
   *
   * @param output errors included
   */
  record Run(int code, String output) {}

  static Run run(Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    return run(environment, command, PATIENCE_SECONDS);
  }

  static Run run(Map<String, String> environment, List<String> command, int patienceSeconds)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("script", ".log");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(CHECKOUT.toFile())
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(patienceSeconds, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new AssertionError(
            "after %d s %s is not done:%n%s"
                .formatted(patienceSeconds, command, Files.readString(output)));
      }
      return new Run(process.exitValue(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }
}
