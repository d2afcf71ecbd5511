package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "scale",
    mixinStandardHelpOptions = true,
    description = "Starts or ends instances until there are so many of each.")
final class Scale implements Callable<Integer> {

  @ParentCommand private Kabar kabar = new Kabar();

  @Parameters(
      arity = "1..*",
      paramLabel = "SERVICE=COUNT",
      description = "For instance outbox-relay=4; notification-service can be scaled too.")
  private Map<String, Integer> counts = Map.of();

  @Override
  public Integer call() throws Exception {
    LocalStack stack = kabar.runningStack();
    try (var _ = stack.lock()) {
      for (Map.Entry<String, Integer> each : counts.entrySet()) {
        stack.scale(Service.named(each.getKey()), each.getValue());
        kabar.terminal().good("%s: %d ready".formatted(each.getKey(), each.getValue()));
      }
    }
    return 0;
  }
}
