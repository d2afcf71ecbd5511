package id.kabar.localstack.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, which can be started, stopped, killed and frozen. It outlives
 * the JVM that started it unless {@link #diesWithThisJvm()} was asked for. Safe for use by several
 * threads.
 */
public abstract class ServerProcess {

  private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
  private static final Duration READY_PATIENCE = Duration.ofSeconds(90);
  private static final Duration READY_POLL = Duration.ofMillis(50);
  private static final long LOG_LIMIT = 20_000_000;

  private final String name;
  private final List<Integer> ports;
  private final Path log;
  private volatile @Nullable OsProcess process;
  private volatile boolean guarded;

  /**
   * A server that is not started yet.
   *
   * @param ports all it listens on; they must be free when it starts
   * @param log where its output is appended
   */
  protected ServerProcess(String name, List<Integer> ports, Path log) {
    this.name = name;
    this.ports = List.copyOf(ports);
    this.log = log;
  }

  /**
   * Ends what an earlier life, whose end nobody has seen, may have left running on the same data.
   */
  protected void endLeftovers() throws IOException {}

  /** Called before each start, for folders and configuration files. */
  protected abstract void prepare() throws IOException;

  protected abstract List<String> command();

  protected Map<String, String> environment() {
    return Map.of();
  }

  /** Whether it serves; must be sure that it is {@code process} that answers and nobody else. */
  protected abstract boolean isReady(OsProcess process);

  /** The signal of an orderly stop. */
  protected Signal stopSignal() {
    return Signal.TERM;
  }

  /** Starts it and returns when it serves; does nothing but wait if it runs already. */
  public final void start() {
    launch();
    awaitReady();
  }

  /** Starts the process without waiting for it to serve; does nothing if it runs already. */
  public final synchronized void launch() {
    if (isAlive()) {
      return;
    }
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      rollLog();
      endLeftovers(); // before the ports are asked for: a leftover may have them
      ports.forEach(port -> Ports.requireFree(name, port));
      prepare();
      ProcessBuilder builder =
          new ProcessBuilder(Session.ofItsOwn(command()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      builder.environment().putAll(environment());
      Process child = builder.start();
      child.getOutputStream().close();
      process = OsProcess.ofChild(child);
    } catch (IOException e) {
      throw new ServerFailed("%s could not be started: %s".formatted(name, e.getMessage()), e);
    }
    guard();
  }

  /** Returns when it serves; throws with the end of its log when it has died or takes too long. */
  public final void awaitReady() {
    OsProcess started = process;
    if (started == null) {
      throw new ServerFailed(name + " was not started.");
    }
    long deadline = System.nanoTime() + READY_PATIENCE.toNanos();
    while (!isReady(started)) {
      if (started.exitsWithin(READY_POLL)) {
        String code =
            started.exitCode().isPresent()
                ? " with exit code " + started.exitCode().getAsInt()
                : "";
        throw new ServerFailed(
            "%s ended while starting%s. %s".formatted(name, code, LogTail.quote(log)));
      }
      if (System.nanoTime() > deadline) {
        throw new ServerFailed(
            "%s (process %d) runs but is not ready after %d s. %s"
                .formatted(name, started.pid(), READY_PATIENCE.toSeconds(), LogTail.quote(log)));
      }
    }
  }

  /** Ends it in order; a server that does not end within half a minute is killed. */
  public final synchronized void stop() {
    ifAlive(
        running -> {
          running.signal(stopSignal());
          running.signalTree(Signal.CONT); // a frozen one hears nothing before
          if (!running.exitsWithin(STOP_PATIENCE)) {
            running.killTree();
          }
          ProcessGuard.forget(running);
        });
  }

  /** Ends several at once; returns when the slowest has ended. */
  public static void stopAll(Collection<? extends ServerProcess> servers) {
    List<Thread> stops =
        servers.stream().map(server -> Thread.startVirtualThread(server::stop)).toList();
    try {
      for (Thread stop : stops) {
        stop.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailed("Interrupted while servers were stopping", e);
    }
  }

  /** SIGKILL, for it and the processes it has started itself. */
  public final synchronized void kill() {
    ifAlive(
        running -> {
          running.killTree();
          ProcessGuard.forget(running);
        });
  }

  /** SIGSTOP: it keeps its connections and its memory, and does nothing. */
  public final void freeze() {
    ifAlive(running -> running.signalTree(Signal.STOP));
  }

  /** SIGCONT. */
  public final void thaw() {
    ifAlive(running -> running.signalTree(Signal.CONT));
  }

  /** From now on the process ends when this JVM does, however that happens. */
  public final void diesWithThisJvm() {
    guarded = true;
    guard();
  }

  /** Undoes {@link #diesWithThisJvm()}. */
  public final void outlivesThisJvm() {
    guarded = false;
    ifAlive(ProcessGuard::forget);
  }

  /** Takes charge of a process that was started elsewhere, for instance by an earlier command. */
  public final void adopt(OsProcess running) {
    process = running;
  }

  public final boolean isAlive() {
    return process().isPresent();
  }

  /** Whether it runs and serves right now. */
  public final boolean isReady() {
    return process().filter(running -> !running.isFrozen() && isReady(running)).isPresent();
  }

  /** The running process. */
  public final Optional<OsProcess> process() {
    return Optional.ofNullable(process).filter(OsProcess::isAlive);
  }

  public final String name() {
    return name;
  }

  public final List<Integer> ports() {
    return ports;
  }

  public final Path log() {
    return log;
  }

  private void ifAlive(Consumer<OsProcess> action) {
    process().ifPresent(action);
  }

  private void guard() {
    if (guarded) {
      ifAlive(running -> ProcessGuard.watch(running, stopSignal()));
    }
  }

  private void rollLog() throws IOException {
    if (Files.exists(log) && Files.size(log) > LOG_LIMIT) {
      Files.move(log, Path.of(log + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
