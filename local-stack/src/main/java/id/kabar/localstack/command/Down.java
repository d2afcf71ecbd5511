package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.servers.ServerProcess;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = "Stops everything in order; the data is kept unless --wipe is given.")
final class Down implements Callable<Integer> {

  @ParentCommand private Kabar kabar = new Kabar();

  @Option(names = "--wipe", description = "Delete the data, the logs and the password too.")
  private boolean wipe;

  @Override
  public Integer call() throws Exception {
    LocalStack stack = kabar.stack();
    Terminal terminal = kabar.terminal();
    if (!Files.exists(stack.home())) {
      terminal.say("There is no stack on %s.".formatted(stack.home()));
      return 0;
    }
    try (var _ = stack.lock()) {
      long running = stack.instances().values().stream().filter(ServerProcess::isAlive).count();
      stack.stop();
      terminal.say(
          (running == 0 ? "Nothing ran on %2$s." : "Stopped %1$d processes of %2$s.")
              .formatted(running, stack.home()));
      if (wipe) {
        stack.wipe();
        terminal.say("Deleted %s.".formatted(stack.home()));
      }
    }
    return 0;
  }
}
