package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.servers.ServerProcess;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Starts everything, proves the flow with one order, and stays until Ctrl-C.",
      "The script in front of it first builds what is missing or older than its sources."
    })
final class Up implements Callable<Integer> {

  private static final Duration PROOF_PATIENCE = Duration.ofSeconds(60);

  @ParentCommand private Kabar kabar = new Kabar();

  @Option(
      names = {"-d", "--detach"},
      description = "Leave it running in the background; `kabar down` stops it.")
  private boolean detached;

  @Override
  public Integer call() throws Exception {
    long start = System.nanoTime();
    Terminal terminal = kabar.terminal();
    LocalStack stack = kabar.stack();
    Foreground foreground = new Foreground(stack, terminal);
    try (var _ = stack.lock()) {
      requireNothingRuns(stack);
      terminal.title("Kabar starts on this machine; its data is in %s".formatted(stack.home()));
      foreground.holdTheStack();
      stack.start(instance -> ready(terminal, start, instance));
      prove(stack, terminal);
      if (detached) {
        foreground.letGo();
      }
    }
    terminal.title("%nReady in %.1f s.".formatted(seconds(start)));
    new Directions(stack).print(terminal);
    if (!detached) {
      terminal.say("\nCtrl-C stops everything.");
      foreground.stayUntilStopped();
    }
    return 0;
  }

  private static void requireNothingRuns(LocalStack stack) {
    if (stack.isRunning()) {
      String running =
          stack.instances().values().stream()
              .filter(ServerProcess::isAlive)
              .map(ServerProcess::name)
              .collect(Collectors.joining(", "));
      throw new ServerFailed(
          """
          A stack already runs on %s (%s).
          `./kabar status` shows it, `./kabar down` stops it, `./kabar start SERVICE` starts what is down.
          A second one beside it: `./kabar --data OTHER-FOLDER --port-offset 1000 up`."""
              .formatted(stack.home(), running));
    }
  }

  private static void ready(Terminal terminal, long start, ServerProcess instance) {
    terminal.good(
        "%-24s %5.1f s   port %s"
            .formatted(instance.name(), seconds(start), instance.ports().getFirst()));
  }

  private static void prove(LocalStack stack, Terminal terminal) throws Exception {
    Shop shop = new Shop(stack);
    Shop.Order order = shop.place(1);
    shop.pay(order);
    long paid = System.nanoTime();
    if (shop.awaitEmail(order, PROOF_PATIENCE).isEmpty()) {
      throw new ServerFailed(
          """
          Order %s was paid, but no email reached the stub within %d s. Everything runs; look at \
          `./kabar logs outbox-relay` and `./kabar logs notification-service`."""
              .formatted(order.id(), PROOF_PATIENCE.toSeconds()));
    }
    terminal.good(
        "the flow works: order %s was paid, its email arrived %d ms later"
            .formatted(order.id(), Duration.ofNanos(System.nanoTime() - paid).toMillis()));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
