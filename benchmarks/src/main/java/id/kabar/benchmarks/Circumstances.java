package id.kabar.benchmarks;

import id.kabar.localstack.LocalStack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.AppInfoParser;

/** On what and under what the run was made; a figure means nothing without. */
final class Circumstances {

  private Circumstances() {}

  static Path checkout() {
    return LocalStack.checkout();
  }

  static Map<String, String> of(Path checkout, int rounds, Duration steady, Servers servers)
      throws Exception {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "started",
        LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm"))
            + " UTC");
    all.put("commit", commit(checkout));
    all.put(
        "machine",
        "%d × %s, %s; load before the run %s"
            .formatted(Runtime.getRuntime().availableProcessors(), processor(), memory(), load()));
    all.put("Java", System.getProperty("java.vm.version"));
    all.put(
        "PostgreSQL",
        "%s, fsync and synchronous_commit on, %s"
            .formatted(version(servers), new TreeMap<>(Servers.SETTINGS)));
    all.put(
        "Kafka",
        "%s, one broker, -Xmx256m, its defaults; topics of %d partitions, LogAppendTime"
            .formatted(AppInfoParser.getVersion(), Servers.PARTITIONS));
    all.put("repeats", "%d, steady loads for %d s".formatted(rounds, steady.toSeconds()));
    return all;
  }

  private static String version(Servers servers) throws Exception {
    String all = "";
    try (var connection = servers.freshDatabase().connect()) {
      all = connection.getMetaData().getDatabaseProductVersion();
    }
    return all;
  }

  private static String commit(Path checkout) throws IOException, InterruptedException {
    return output(checkout, "git", "rev-parse", "--short", "HEAD")
        + (output(checkout, "git", "status", "--porcelain", "-uno").isEmpty() ? "" : ", changed");
  }

  private static String output(Path folder, String... command)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? text.strip() : "unknown";
  }

  private static String processor() throws IOException {
    return line(Path.of("/proc/cpuinfo"), "model name");
  }

  private static String memory() throws IOException {
    return line(Path.of("/proc/meminfo"), "MemTotal");
  }

  private static String load() throws IOException {
    Path file = Path.of("/proc/loadavg");
    return Files.exists(file) ? Files.readString(file).split(" ", 2)[0] : "unknown";
  }

  private static String line(Path file, String name) throws IOException {
    if (!Files.exists(file)) {
      return "unknown";
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    }
  }
}
