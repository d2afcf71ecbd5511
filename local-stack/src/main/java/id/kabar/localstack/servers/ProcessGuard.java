package id.kabar.localstack.servers;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ends what this JVM has started once this JVM has ended, even by SIGKILL: a small shell waits at
 * the other end of a pipe, which only this JVM holds open. Unlike a shutdown hook it acts after all
 * others, so that whatever uses the servers can close first.
 */
public final class ProcessGuard {

  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      servers='' folders=''
      while read -r verb what; do
        case $verb in
          watch) servers="$servers $what" ;;
          forget)
            kept=''
            for server in $servers; do
              [ "${server#*:}" = "$what" ] || kept="$kept $server"
            done
            servers=$kept ;;
          remove) folders="$folders$what
      " ;;
        esac
      done
      for server in $servers; do
        kill -"${server%%:*}" "${server#*:}" 2>/dev/null
        kill -CONT "${server#*:}" 2>/dev/null
      done
      patience=100
      for server in $servers; do
        while kill -0 "${server#*:}" 2>/dev/null && [ $patience -gt 0 ]; do
          sleep 0.1
          patience=$((patience - 1))
        done
        kill -KILL "${server#*:}" 2>/dev/null
      done
      printf '%s' "$folders" | while read -r folder; do
        rm -rf "$folder"
      done
      """;

  private static final Set<Long> WATCHED = new HashSet<>();
  private static @Nullable PrintStream pipe;

  private ProcessGuard() {}

  static synchronized void watch(OsProcess process, Signal signal) {
    if (WATCHED.add(process.pid())) {
      tell("watch %s:%d".formatted(signal, process.pid()));
    }
  }

  static synchronized void forget(OsProcess process) {
    if (WATCHED.remove(process.pid())) {
      tell("forget " + process.pid());
    }
  }

  /** Deletes the folder once this JVM and the servers it started have ended. */
  public static void remove(Path folder) {
    tell("remove " + folder.toAbsolutePath());
  }

  private static synchronized void tell(String line) {
    PrintStream guard = pipe;
    if (guard == null) {
      guard = open();
      pipe = guard;
    }
    guard.print(line + "\n");
    guard.flush();
  }

  private static PrintStream open() {
    try {
      Process shell =
          new ProcessBuilder(Session.ofItsOwn(List.of("sh", "-c", SCRIPT)))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new PrintStream(shell.getOutputStream(), false, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("no shell to guard the servers", e);
    }
  }
}
