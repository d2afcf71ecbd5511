package id.kabar.localstack.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the process behind a listening port, as far as this user may see it. */
final class Listeners {

  private static final Path PROC = Path.of("/proc");
  private static final String LISTEN = "0A";

  private Listeners() {}

  static Optional<OsProcess> on(int port) {
    return Files.exists(PROC.resolve("net/tcp")) ? byProc(port) : byLsof(port);
  }

  static boolean isOn(int port, OsProcess process) {
    return Files.exists(PROC.resolve("net/tcp"))
        ? holdsAny(process.pid(), sockets(port))
        : Ports.answers(port);
  }

  private static Optional<OsProcess> byProc(int port) {
    Set<String> sockets = sockets(port);
    return ProcessHandle.allProcesses()
        .filter(process -> holdsAny(process.pid(), sockets))
        .findFirst()
        .map(OsProcess::of);
  }

  private static Set<String> sockets(int port) {
    Set<String> sockets = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : lines(PROC.resolve(table))) {
        String[] field = line.trim().split("\\s+", -1);
        if (field.length > 9
            && field[1].endsWith(":%04X".formatted(port))
            && field[3].equals(LISTEN)) {
          sockets.add("socket:[" + field[9] + "]");
        }
      }
    }
    return sockets;
  }

  private static boolean holdsAny(long pid, Set<String> sockets) {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
      for (Path descriptor : open) {
        if (Files.isSymbolicLink(descriptor)
            && sockets.contains(Files.readSymbolicLink(descriptor).toString())) {
          return true;
        }
      }
    } catch (IOException e) {
      return false; // another user's process, or gone meanwhile
    }
    return false;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of(); // a kernel without IPv6 has no tcp6
    }
  }

  private static Optional<OsProcess> byLsof(int port) {
    try {
      Process lsof =
          new ProcessBuilder("lsof", "-nP", "-t", "-iTCP:" + port, "-sTCP:LISTEN")
              .redirectErrorStream(true)
              .start();
      String pids = new String(lsof.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
      return Arrays.stream(pids.split("\\s+", -1))
          .filter(pid -> pid.matches("\\d+"))
          .findFirst()
          .flatMap(pid -> OsProcess.find(Long.parseLong(pid)));
    } catch (IOException e) {
      return Optional.empty(); // no lsof here: the port is named without its holder
    }
  }
}
