package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Places and pays orders, one after the other, and follows each to its email.",
      "After `placed`, times count from the moment the customer sends the payment."
    })
final class Demo implements Callable<Integer> {

  @ParentCommand private Kabar kabar = new Kabar();

  @Option(
      names = "--orders",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many (${DEFAULT-VALUE}).")
  private int orders;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait for an email (${DEFAULT-VALUE}).")
  private int patienceSeconds;

  @Override
  public Integer call() throws Exception {
    if (orders < 1 || orders > 100_000) {
      throw new IllegalArgumentException(
          "--orders must be between 1 and 100000, not %d.".formatted(orders));
    }
    LocalStack stack = kabar.runningStack();
    Terminal terminal = kabar.terminal();
    List<Timeline> timelines = new ArrayList<>();
    try (TopicWatch topic = new TopicWatch(stack.bootstrapServers(), "order.paid")) {
      Shop shop = new Shop(stack);
      terminal.title(Timeline.HEADER);
      for (int number = 1; number <= orders; number++) {
        Timeline timeline = follow(shop, topic, number);
        timelines.add(timeline);
        terminal.say(timeline.line());
      }
    }
    terminal.say("");
    return new Summary(timelines).print(terminal) ? 0 : 1;
  }

  private Timeline follow(Shop shop, TopicWatch topic, int number) {
    Instant ordered = Instant.now();
    Shop.Order order = shop.place(number);
    Instant placed = Instant.now();
    Instant clicked = Instant.now();
    shop.pay(order);
    Instant paid = Instant.now();
    Duration patience = Duration.ofSeconds(patienceSeconds);
    Optional<Instant> emailed = shop.awaitEmail(order, patience);
    Optional<Instant> inKafka =
        topic.firstSeen(order.id(), emailed.isPresent() ? Duration.ofSeconds(5) : Duration.ZERO);
    return new Timeline(
        order.id(), ordered, placed, clicked, paid, inKafka, emailed, shop.emails(order));
  }
}
