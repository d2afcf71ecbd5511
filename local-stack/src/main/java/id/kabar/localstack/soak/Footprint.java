package id.kabar.localstack.soak;

import id.kabar.localstack.servers.OsProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  static Footprint of(OsProcess process) {
    long handles = 0;
    long threads = 0;
    for (long each : process.pids()) {
      Path folder = PROC.resolve(Long.toString(each));
      handles += entries(folder.resolve("fd"));
      threads += entries(folder.resolve("task"));
    }
    return new Footprint(process.privateMemory(), handles, threads);
  }

  private static long entries(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.count();
    } catch (IOException | UncheckedIOException e) {
      return 0; // gone meanwhile
    }
  }
}
