package id.kabar.localstack.command;

import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.site.Site;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "pay",
    mixinStandardHelpOptions = true,
    description = {
      "Places and pays orders, one after the other, and does not look after their emails.",
      "Its customers insist: what is refused or not answered they ask again, under the same key."
    })
final class Pay implements Callable<Integer> {

  private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofMillis(250);

  @ParentCommand private Kabar kabar = new Kabar();

  @Mixin private On on = new On();

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many (${DEFAULT-VALUE}).")
  private int orders;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many at most in a second (${DEFAULT-VALUE}).")
  private int perSecond;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = "How long a customer insists (${DEFAULT-VALUE}).")
  private int patienceSeconds;

  private int refusals;

  @Override
  public Integer call() {
    if (orders < 1 || orders > 100_000 || perSecond < 1) {
      throw new IllegalArgumentException(
          "--orders must be between 1 and 100000 and --per-second at least 1.");
    }
    long begun = System.nanoTime();
    try (Site site = kabar.site(on)) {
      Shop shop = new Shop(site.orders(), site.emailStub());
      for (int number = 1; number <= orders; number++) {
        awaitTurn(begun, number);
        int customer = number;
        Shop.Order order = insist(() -> shop.place(customer));
        insist(
            () -> {
              shop.pay(order);
              return order;
            });
      }
    }
    kabar
        .terminal()
        .say(
            "%d orders paid in %.1f s; %d calls were refused and asked again."
                .formatted(orders, (System.nanoTime() - begun) / 1e9, refusals));
    return 0;
  }

  private void awaitTurn(long begun, int number) {
    long turn = begun + (number - 1) * 1_000_000_000L / perSecond;
    for (long rest = turn - System.nanoTime(); rest > 0; rest = turn - System.nanoTime()) {
      LockSupport.parkNanos(rest);
    }
  }

  private <T> T insist(Supplier<T> call) {
    long deadline = System.nanoTime() + Duration.ofSeconds(patienceSeconds).toNanos();
    while (true) {
      try {
        return call.get();
      } catch (ServerFailed refusal) {
        if (System.nanoTime() > deadline) {
          throw new ServerFailed(
              "An order could not be paid within %d s: %s"
                  .formatted(patienceSeconds, refusal.getMessage()),
              refusal);
        }
        refusals++;
        LockSupport.parkNanos(PAUSE_AFTER_REFUSAL.toNanos());
      }
    }
  }
}
