package id.kabar.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the README shows is what happens. */
class ReadmeIT {

  private static final Path CHECKOUT =
      Path.of(System.getProperty("kabar.checkout", "..")).toAbsolutePath().normalize();
  private static final Path STACK = Path.of("target", "readme-stack").toAbsolutePath();
  private static final Path OUTPUT = Path.of("target", "readme.log").toAbsolutePath();
  private static final Pattern PORT = Pattern.compile("localhost:(\\d{2,5})");
  private static final int OFFSET = 17_000;
  private static final int PATIENCE_SECONDS = 300;

  /** In one shell, on a stack of its own, beside whatever else runs on this machine. */
  @Test
  void itsCommandsRunInTheirOrder() throws IOException, InterruptedException {
    ShellBlocks blocks = ShellBlocks.of(Files.readString(CHECKOUT.resolve("README.md")));
    assertThat(blocks.executed()).isNotEmpty();
    Map<String, String> environment = stackOfItsOwn(blocks.script());
    blocks
        .skipped()
        .forEach(
            block ->
                System.out.println(
                    "README, line "
                        + block.line()
                        + ": not executed, "
                        + block.notExecuted().orElseThrow()));
    try {
      int exit = run(environment, blocks.script());

      String output = Files.readString(OUTPUT);
      System.out.println(output);
      assertThat(exit).as("exit code of the README's commands:%n%s", output).isZero();
      assertThat(output).endsWith("=== done ===\n");
    } finally {
      run(environment, "./kabar down --wipe");
    }
  }

  /** Commands that name ports need those ports, all others run beside another stack. */
  private static Map<String, String> stackOfItsOwn(String script) {
    List<Integer> ports = new ArrayList<>();
    Matcher named = PORT.matcher(script);
    while (named.find()) {
      ports.add(Integer.valueOf(named.group(1)));
    }
    List<Integer> taken = ports.stream().distinct().filter(port -> !isFree(port)).toList();
    assertThat(taken)
        .as("ports the README's commands need, and somebody else listens on: stop that first")
        .isEmpty();
    int offset = ports.isEmpty() ? OFFSET : 0;
    return Map.of("KABAR_DATA", STACK.toString(), "KABAR_PORT_OFFSET", Integer.toString(offset));
  }

  private static int run(Map<String, String> environment, String script)
      throws IOException, InterruptedException {
    ProcessBuilder shell =
        new ProcessBuilder("sh", "-c", script)
            .directory(CHECKOUT.toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(OUTPUT.toFile());
    shell.environment().putAll(environment);
    Process process = shell.start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError(
          "after %d s the commands are not done:%n%s"
              .formatted(PATIENCE_SECONDS, Files.readString(OUTPUT)));
    }
    return process.exitValue();
  }

  private static boolean isFree(int port) {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
