package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.servers.ServerProcess;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The commands that do something to one process. */
final class InstanceCommands {

  private InstanceCommands() {}

  abstract static class OnInstance implements Callable<Integer> {

    @ParentCommand private Kabar kabar = new Kabar();

    @Parameters(
        paramLabel = "SERVICE[#N]",
        description = "A service, or one of its instances like outbox-relay#2; alone: number 1.")
    private String name = "";

    abstract String act(LocalStack stack, ServerProcess instance);

    @Override
    public final Integer call() throws Exception {
      LocalStack stack = kabar.runningStack();
      try (var _ = stack.lock()) {
        kabar.terminal().say(act(stack, stack.instance(name)));
        stack.remember();
      }
      return 0;
    }

    static OsProcess running(ServerProcess instance) {
      return instance
          .process()
          .orElseThrow(
              () ->
                  new ServerFailed(
                      "%1$s does not run. `./kabar start %1$s` starts it."
                          .formatted(instance.name())));
    }
  }

  @Command(
      name = "kill",
      mixinStandardHelpOptions = true,
      description = "SIGKILL: it ends at once and can save nothing.")
  static final class Kill extends OnInstance {

    @Override
    String act(LocalStack stack, ServerProcess instance) {
      long pid = running(instance).pid();
      instance.kill();
      return "%1$s (process %2$d) is killed. `./kabar start %1$s` brings it back."
          .formatted(instance.name(), pid);
    }
  }

  @Command(
      name = "freeze",
      mixinStandardHelpOptions = true,
      description = "SIGSTOP: it keeps its connections and does nothing.")
  static final class Freeze extends OnInstance {

    @Override
    String act(LocalStack stack, ServerProcess instance) {
      long pid = running(instance).pid();
      instance.freeze();
      return "%1$s (process %2$d) is frozen. `./kabar thaw %1$s` lets it go on."
          .formatted(instance.name(), pid);
    }
  }

  @Command(
      name = "thaw",
      mixinStandardHelpOptions = true,
      description = "SIGCONT: a frozen one goes on where it was.")
  static final class Thaw extends OnInstance {

    @Override
    String act(LocalStack stack, ServerProcess instance) {
      long pid = running(instance).pid();
      instance.thaw();
      return "%s (process %d) goes on.".formatted(instance.name(), pid);
    }
  }

  @Command(
      name = "start",
      mixinStandardHelpOptions = true,
      description = "Starts one that was stopped, killed or has crashed.")
  static final class Start extends OnInstance {

    @Override
    String act(LocalStack stack, ServerProcess instance) {
      if (instance.isAlive()) {
        return "%s runs already (process %d).".formatted(instance.name(), running(instance).pid());
      }
      long start = System.nanoTime();
      stack.start(instance.name());
      return "%s (process %d) is ready after %.1f s."
          .formatted(instance.name(), running(instance).pid(), (System.nanoTime() - start) / 1e9);
    }
  }

  @Command(
      name = "stop",
      mixinStandardHelpOptions = true,
      description = "Lets it finish what it has begun and end.")
  static final class Stop extends OnInstance {

    @Override
    String act(LocalStack stack, ServerProcess instance) {
      long pid = running(instance).pid();
      instance.stop();
      return "%1$s (process %2$d) is stopped. `./kabar start %1$s` brings it back."
          .formatted(instance.name(), pid);
    }
  }
}
