package id.kabar.localstack.soak;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.servers.Java;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the heaps of JVMs hold. Each is asked to collect first, by the JDK's own {@code jcmd}: else
 * a heap's size tells when it was collected last, and not whether it leaks.
 */
final class Heaps {

  private static final String TOTAL = "Total";

  private final Path jcmd = Path.of(Java.executable()).resolveSibling("jcmd");

  /** In bytes; empty if the JVM does not answer. */
  OptionalLong used(long pid) {
    return total(histogram(pid));
  }

  /** The total of a class histogram. */
  static OptionalLong total(List<String> histogram) {
    return histogram.stream()
        .filter(line -> line.startsWith(TOTAL))
        .map(line -> line.strip().split("\\s+", -1))
        .filter(columns -> columns.length == 3)
        .mapToLong(columns -> Long.parseLong(columns[2]))
        .findFirst();
  }

  private List<String> histogram(long pid) {
    try {
      Process process =
          new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
              .redirectErrorStream(true)
              .start();
      List<String> lines =
          new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
      process.waitFor();
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException("a heap is measured by the JDK's jcmd, which is missing", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }
}
