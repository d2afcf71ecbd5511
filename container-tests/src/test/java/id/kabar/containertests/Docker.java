package id.kabar.containertests;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The Docker engine of this machine, by its command line. */
final class Docker {

  private static final Duration BUILDING = Duration.ofMinutes(20);

  private static final boolean ANSWERS = Command.works("docker", "version");

  private Docker() {}

  /** Skips the calling test, aloud, where there is no engine. */
  static void assumeItAnswers() {
    if (!ANSWERS) {
      System.out.println("container-tests: no Docker engine answers, so no container was started");
    }
    Assumptions.assumeTrue(ANSWERS, "no Docker engine answers");
  }

  /** Builds every image of compose.yaml that is not up to date. */
  static void buildImages() {
    Command.of("docker", "compose", "build", "--quiet").within(BUILDING).run();
  }

  static String run(String... arguments) {
    return command(arguments).run();
  }

  static Command command(String... arguments) {
    List<String> line = new ArrayList<>(List.of("docker"));
    line.addAll(List.of(arguments));
    return Command.of(line);
  }

  /** A field of what the engine knows about an image or a container, as a Go template. */
  static String inspect(String what, String template) {
    return run("inspect", "--format", template, what);
  }

  /** Where a port of a container is published on this machine. */
  static int publishedPort(String container, int port) {
    String address = run("port", container, port + "/tcp").lines().findFirst().orElseThrow();
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }
}
