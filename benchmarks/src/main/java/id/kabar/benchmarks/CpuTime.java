package id.kabar.benchmarks;

import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Processor time of servers with all they have started, those that ended included, in seconds. From
 * Linux's process table, whose clock ticks a hundred times a second.
 */
public final class CpuTime {

  // Of /proc/PID/stat, counted from the field behind the name.
  private static final int USER = 11;
  private static final int CHILDREN_SYSTEM = 14;
  private static final double TICKS = 100;

  private CpuTime() {}

  public static double of(Iterable<? extends ServerProcess> servers) {
    double seconds = 0;
    for (ServerProcess server : servers) {
      Optional<OsProcess> process = server.process();
      seconds += process.isPresent() ? tree(process.get().pid()) : 0;
    }
    return seconds;
  }

  private static double tree(long pid) {
    double seconds = single(pid);
    Optional<ProcessHandle> handle = ProcessHandle.of(pid);
    if (handle.isPresent()) {
      try (Stream<ProcessHandle> descendants = handle.get().descendants()) {
        seconds += descendants.mapToDouble(child -> single(child.pid())).sum();
      }
    }
    return seconds;
  }

  private static double single(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double ticks = 0;
      for (int field = USER; field <= CHILDREN_SYSTEM; field++) {
        ticks += Long.parseLong(fields[field]);
      }
      return ticks / TICKS;
    } catch (IOException e) {
      return 0; // ended meanwhile; its parent has its time
    }
  }
}
