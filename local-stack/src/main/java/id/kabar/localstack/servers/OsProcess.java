package id.kabar.localstack.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process of the operating system, known by its id and its birth, so that an id given to somebody
 * else later is never taken for it.
 */
public final class OsProcess {

  // Of /proc/PID/stat, counted from the field behind the name, which may hold anything.
  private static final int STATE = 0;
  private static final int START_TICKS = 19;

  private static final Duration POLL = Duration.ofMillis(20);

  private static final Duration REAPING = Duration.ofSeconds(5);

  private final ProcessHandle handle;
  private final @Nullable Process child;

  private OsProcess(ProcessHandle handle, @Nullable Process child) {
    this.handle = handle;
    this.child = child;
  }

  static OsProcess of(ProcessHandle handle) {
    return new OsProcess(handle, null);
  }

  static OsProcess ofChild(Process child) {
    return new OsProcess(child.toHandle(), child);
  }

  public static Optional<OsProcess> find(long pid) {
    return ProcessHandle.of(pid).map(OsProcess::of).filter(OsProcess::isAlive);
  }

  /** The process with this id, if it is still the one of that birth. */
  public static Optional<OsProcess> find(long pid, String birth) {
    return find(pid).filter(process -> process.birth().equals(birth));
  }

  public long pid() {
    return handle.pid();
  }

  public Optional<Instant> startedAt() {
    return handle.info().startInstant();
  }

  /** Whether any of it is left; a killed process whose threads still end may hold its ports. */
  public boolean isAlive() {
    return handle.isAlive() && !("Z".equals(state()) && hasOneThreadAtMost());
  }

  /**
   * Tells two processes apart that had the same id. On Linux it counts from the boot, and so stays
   * what it is when the clock is set.
   */
  public String birth() {
    List<String> status = status();
    return status.size() > START_TICKS
        ? status.get(START_TICKS)
        : startedAt().map(Instant::toString).orElse("");
  }

  public boolean isFrozen() {
    return "T".equals(state());
  }

  /**
   * The memory that it and what it has started occupy, in bytes, as far as the system tells. What
   * several processes share is counted once.
   */
  public OptionalLong memory() {
    long bytes = sum("Pss:");
    return bytes > 0 ? OptionalLong.of(bytes) : OptionalLong.empty();
  }

  /** Likewise without files and memory that is shared: PostgreSQL's buffers, for instance. */
  public long privateMemory() {
    return sum("Pss_Anon:");
  }

  private long sum(String figure) {
    return pids().stream().mapToLong(pid -> memoryOf(pid, figure)).sum();
  }

  private static long memoryOf(long pid, String figure) {
    Path proportional = Path.of("/proc", Long.toString(pid), "smaps_rollup");
    try (Stream<String> lines = Files.lines(proportional)) {
      return lines
          .filter(line -> line.startsWith(figure))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0; // gone meanwhile, or no Linux
    }
  }

  /** The ids of the process and of all it has started. */
  public List<Long> pids() {
    return tree().stream().map(ProcessHandle::pid).toList();
  }

  /** For messages: the id and the name of what runs there. */
  public String description() {
    return handle
        .info()
        .command()
        .map(command -> "%d (%s)".formatted(pid(), Path.of(command).getFileName()))
        .orElse(Long.toString(pid()));
  }

  /** Known only to the JVM that started the process, once it has ended. */
  OptionalInt exitCode() {
    return child != null && !isAlive() && isReaped(child)
        ? OptionalInt.of(child.exitValue())
        : OptionalInt.empty();
  }

  /** The system shows the end of a process a moment before the JVM has its code. */
  private static boolean isReaped(Process child) {
    try {
      return child.waitFor(REAPING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void signal(Signal signal) {
    signal(List.of(handle), signal);
  }

  /** Sends the signal to the process and everything it has started, the process first. */
  void signalTree(Signal signal) {
    signal(tree(), signal);
  }

  /** SIGKILL for the process and all it has started; returns when they are gone. */
  void killTree() {
    List<ProcessHandle> tree = tree();
    signal(tree, Signal.KILL);
    tree.stream().map(OsProcess::of).forEach(p -> p.exitsWithin(Duration.ofSeconds(10)));
  }

  boolean exitsWithin(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (isAlive()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      pause();
    }
    return true;
  }

  private List<ProcessHandle> tree() {
    List<ProcessHandle> tree = new ArrayList<>(List.of(handle));
    try (Stream<ProcessHandle> descendants = handle.descendants()) {
      descendants.forEach(tree::add);
    }
    return tree;
  }

  /** The one-letter state of the process table. */
  private String state() {
    List<String> status = status();
    return status.isEmpty() ? "" : status.get(STATE).substring(0, 1);
  }

  /**
   * The fields of Linux's process table; elsewhere only the state; nothing of a process that is
   * gone.
   */
  private List<String> status() {
    try {
      if (Files.exists(Path.of("/proc/self"))) {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
        return List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
      }
      Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(pid())).start();
      String state = new String(ps.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return state.isEmpty() ? List.of() : List.of(state);
    } catch (IOException e) {
      return List.of(); // gone meanwhile
    }
  }

  private boolean hasOneThreadAtMost() {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
      return threads.count() <= 1;
    } catch (IOException | UncheckedIOException e) {
      return true; // gone meanwhile, or no Linux
    }
  }

  private static void signal(List<ProcessHandle> processes, Signal signal) {
    // The shell's own kill: a machine without procps has no other.
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", "kill -" + signal + " \"$@\"", "kill"));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    try {
      // Its exit code says only that some were gone already.
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("no shell to send SIG" + signal, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed("Interrupted while waiting for a process", e);
    }
  }
}
