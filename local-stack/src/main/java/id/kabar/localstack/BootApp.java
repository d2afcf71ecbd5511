package id.kabar.localstack;

import id.kabar.localstack.servers.Folders;
import id.kabar.localstack.servers.Java;
import id.kabar.localstack.servers.ServerFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

/**
 * A service as the build leaves it: one jar with jars inside. It starts much faster from plain
 * jars, so they are extracted beside it, again whenever it changes.
 */
final class BootApp {

  // Measured: SerialGC and C1 start a service in half the time and two thirds of the memory of the
  // defaults. An AOT cache saves another half, about 2 s of CPU per start, but costs 40 s and 90 MB
  // per service after every build; it does not pay here.
  private static final List<String> QUICK_AND_SMALL =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xshare:auto",
          "-XX:+ExitOnOutOfMemoryError");

  private final String name;
  private final Path jar;
  private final Path target;

  BootApp(String name, Path jar, Path target) {
    this.name = name;
    this.jar = jar;
    this.target = target;
  }

  /** The command that runs it from its extracted jars. */
  List<String> extractedCommand(String heap) {
    return command(heap, extractedJar());
  }

  /**
   * The command that runs it from its one jar, for what is no Spring application and cannot be
   * extracted.
   */
  List<String> jarCommand(String heap) {
    requireBuilt();
    return command(heap, jar);
  }

  private static List<String> command(String heap, Path jar) {
    List<String> command = new ArrayList<>(List.of(Java.executable()));
    command.addAll(QUICK_AND_SMALL);
    command.addAll(List.of("-Xmx" + heap, "-jar", jar.toString()));
    return command;
  }

  private void requireBuilt() {
    if (!Files.exists(jar)) {
      throw new ServerFailed(
          "%s is not built: %s is missing. `./kabar up` builds it, as does `./mvnw package`."
              .formatted(name, jar));
    }
  }

  private Path extractedJar() {
    try {
      return extracted().resolve(jar.getFileName());
    } catch (IOException e) {
      throw new ServerFailed("%s could not be extracted: %s".formatted(jar, e.getMessage()), e);
    }
  }

  private synchronized Path extracted() throws IOException {
    requireBuilt();
    Path home = target.resolve("extracted-" + fingerprint());
    if (!Files.isDirectory(home)) {
      // Under another name first: two stacks may do this at once, and one may be stopped half-way.
      Path half = Files.createTempDirectory(target, "extracting-");
      extract(half);
      if (Files.isDirectory(home)) {
        Folders.delete(half);
      } else {
        Files.move(half, home, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return home;
  }

  private void extract(Path destination) throws IOException {
    Process process =
        new ProcessBuilder(
                Java.executable(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djarmode=tools",
                "-jar",
                jar.toString(),
                "extract",
                "--force",
                "--destination",
                destination.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  // A reproducible build gives every jar the same time of modification, but not of change.
  private String fingerprint() throws IOException {
    FileTime changed = (FileTime) Files.getAttribute(jar, "unix:ctime");
    return "%x-%x".formatted(changed.toMillis(), Files.size(jar));
  }
}
