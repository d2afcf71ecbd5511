package id.kabar.localstack.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process and all it has started take of the machine, by Linux's own account.
 *
 * @param bytes of private memory; files and shared memory, PostgreSQL's buffers for instance, are
 *     left out
 * @param handles files, sockets and pipes that are open
 */
record Footprint(long bytes, long handles, long threads) {

  private static final Path PROC = Path.of("/proc");

  static Footprint of(long pid) {
    long bytes = 0;
    long handles = 0;
    long threads = 0;
    for (long each : tree(pid)) {
      Path folder = PROC.resolve(Long.toString(each));
      bytes += anonymous(folder.resolve("smaps_rollup"));
      handles += entries(folder.resolve("fd"));
      threads += entries(folder.resolve("task"));
    }
    return new Footprint(bytes, handles, threads);
  }

  private static List<Long> tree(long pid) {
    return ProcessHandle.of(pid)
        .map(root -> Stream.concat(Stream.of(root), root.descendants()))
        .orElse(Stream.empty())
        .map(ProcessHandle::pid)
        .toList();
  }

  private static long anonymous(Path rollup) {
    try (Stream<String> lines = Files.lines(rollup)) {
      return lines
          .filter(line -> line.startsWith("Pss_Anon:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .sum();
    } catch (IOException | UncheckedIOException e) {
      return 0; // gone meanwhile, as a server's workers are
    }
  }

  private static long entries(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.count();
    } catch (IOException | UncheckedIOException e) {
      return 0; // gone meanwhile
    }
  }
}
