package id.kabar.localstack.command;

import id.kabar.localstack.InstanceName;
import id.kabar.localstack.LocalStack;
import id.kabar.localstack.servers.ServerProcess;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Keeps a stack while this command runs: whatever ends the command ends the stack, in order if it
 * may.
 */
final class Foreground {

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Terminal terminal;
  private final Thread stopHook = new Thread(this::stop, "stop");
  private volatile LocalStack stack;
  private volatile boolean stopping;

  Foreground(LocalStack stack, Terminal terminal) {
    this.stack = stack;
    this.terminal = terminal;
  }

  void holdTheStack() {
    stack.diesWithThisJvm();
    Runtime.getRuntime().addShutdownHook(stopHook);
  }

  /** From now on the stack lives on without this command. */
  void letGo() {
    stack.outlivesThisJvm();
    Runtime.getRuntime().removeShutdownHook(stopHook);
  }

  /** Reports what comes and goes; returns when another command has stopped the stack. */
  void stayUntilStopped() {
    Map<InstanceName, Boolean> before = alive();
    while (!stopping && stack.isRunning()) {
      LockSupport.parkNanos(LOOK_NANOS);
      stack = stack.lookAgain(); // other commands start, kill and scale what this one holds
      stack.diesWithThisJvm();
      Map<InstanceName, Boolean> now = alive();
      if (!stopping && stack.isRunning()) {
        report(before, now);
      }
      before = now;
    }
    if (!stopping) {
      letGo();
      terminal.say("Nothing of the stack runs any more.");
    }
  }

  private void report(Map<InstanceName, Boolean> before, Map<InstanceName, Boolean> now) {
    now.forEach(
        (name, alive) -> {
          boolean was = before.getOrDefault(name, false);
          if (was && !alive) {
            terminal.say(
                "%s has ended; `./kabar logs %s` may say why, `./kabar start %s` brings it back."
                    .formatted(name, name, name));
          } else if (!was && alive) {
            terminal.say("%s runs.".formatted(name));
          }
        });
  }

  private Map<InstanceName, Boolean> alive() {
    return stack.instances().entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, entry -> entry.getValue().isAlive(), (a, _) -> a, TreeMap::new));
  }

  private void stop() {
    stopping = true;
    LocalStack latest = stack.lookAgain();
    long running = latest.instances().values().stream().filter(ServerProcess::isAlive).count();
    if (running > 0) {
      terminal.say("\nStopping ...");
    }
    latest.stop();
    stack.stop(); // what was started in this very moment
    if (running > 0) {
      terminal.say(
          "Stopped %d processes. The data is kept in %s.".formatted(running, stack.home()));
    }
  }
}
