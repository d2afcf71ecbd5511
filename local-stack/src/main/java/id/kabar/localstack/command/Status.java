package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.json.JsonMapper;

@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows each process: id, ports, health, memory. Exit code 3 unless all are up.")
final class Status implements Callable<Integer> {

  @ParentCommand private Kabar kabar = new Kabar();

  @Option(names = "--json", description = "For programs.")
  private boolean json;

  @Override
  public Integer call() {
    LocalStack stack = kabar.stack();
    List<InstanceStatus> all = InstanceStatus.all(stack);
    if (json) {
      System.out.println(
          JsonMapper.shared()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(StackStatus.of(stack, all)));
    } else if (!stack.isRunning()) {
      throw new Kabar.NotRunning(stack);
    } else {
      print(stack, all);
    }
    boolean allUp = stack.isRunning() && all.stream().allMatch(each -> each.health() == Health.UP);
    return allUp ? 0 : Kabar.NOT_RUNNING;
  }

  private void print(LocalStack stack, List<InstanceStatus> all) {
    Terminal terminal = kabar.terminal();
    terminal.title(
        "%-24s%8s  %-13s%-11s%9s  %s"
            .formatted("NAME", "PID", "PORTS", "HEALTH", "MEMORY", "UP FOR"));
    for (InstanceStatus each : all) {
      terminal.say(
          "%-24s%8s  %-13s%s%9s  %s"
              .formatted(
                  each.name(),
                  each.pid() == null ? "-" : each.pid(),
                  each.ports().stream().map(String::valueOf).collect(Collectors.joining(" ")),
                  each.health().styled(11),
                  each.memoryMegabytes() == null ? "-" : each.memoryMegabytes() + " MB",
                  each.upFor()));
    }
    long megabytes =
        all.stream()
            .mapToLong(each -> each.memoryMegabytes() == null ? 0 : each.memoryMegabytes())
            .sum();
    terminal.say("%nTogether %.1f GB.".formatted(megabytes / 1000.0));
    new Directions(stack).addresses(terminal);
  }
}
