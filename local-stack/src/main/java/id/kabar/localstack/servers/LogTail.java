package id.kabar.localstack.servers;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The end of a log file, for people who need to know why something ended. */
final class LogTail {

  private static final int LINES = 12;
  private static final int WIDTH = 400;
  private static final int BYTES = 32_768;
  private static final Pattern STACK_FRAME = Pattern.compile("^\\s+(at |\\.\\.\\. \\d+ )");

  private LogTail() {}

  static String quote(Path log) {
    List<String> lines = lines(log);
    return lines.isEmpty()
        ? "Its log %s is empty.".formatted(log)
        : "The last lines of %s:%n  %s"
            .formatted(log, String.join(System.lineSeparator() + "  ", lines));
  }

  static List<String> lines(Path log) {
    List<String> telling =
        textFrom(log, -BYTES)
            .lines()
            .filter(line -> !line.isBlank() && !STACK_FRAME.matcher(line).find())
            .map(line -> line.length() <= WIDTH ? line : line.substring(0, WIDTH) + " ...")
            .toList();
    return telling.subList(Math.max(0, telling.size() - LINES), telling.size());
  }

  /** The log's text from an offset on; a negative offset counts from its end. */
  static String textFrom(Path log, long offset) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = offset >= 0 ? offset : Math.max(0, file.length() + offset);
      byte[] bytes = new byte[(int) Math.max(0, Math.min(file.length() - from, 1_000_000))];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return ""; // nothing written yet
    }
  }
}
