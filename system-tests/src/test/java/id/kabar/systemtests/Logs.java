package id.kabar.systemtests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the processes of a stack have written. */
final class Logs {

  private static final int TAIL = 40;

  private final Path folder;

  /**
   * @param home the stack's folder
   */
  Logs(Path home) {
    this.folder = home.resolve("logs");
  }

  /** Lines of all logs that contain a text, with the names of their files; at most ten. */
  List<String> linesWith(String text) {
    return files().stream()
        .flatMap(
            file ->
                lines(file).stream()
                    .filter(line -> line.contains(text))
                    .map(line -> file.getFileName() + ": " + line))
        .limit(10)
        .toList();
  }

  /** The last lines of each log. */
  String tails() {
    StringBuilder tails = new StringBuilder();
    for (Path file : files()) {
      List<String> lines = lines(file);
      tails.append("--- ").append(file.getFileName()).append('\n');
      lines
          .subList(Math.max(0, lines.size() - TAIL), lines.size())
          .forEach(line -> tails.append(line).append('\n'));
    }
    return tails.toString();
  }

  private List<Path> files() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> lines(Path file) {
    try {
      // Not strictly UTF-8: a process may be killed in the middle of a character.
      return Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
