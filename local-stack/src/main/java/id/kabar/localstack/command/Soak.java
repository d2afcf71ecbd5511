package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.chaos.ChaosRun;
import id.kabar.localstack.chaos.SoakRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "soak",
    mixinStandardHelpOptions = true,
    description = {
      "Lets customers buy at a steady rate on a stack of its own, and watches what its processes and"
          + " tables take.",
      "Writes soak.md and soak.csv, and lets the history judge. Ctrl-C ends it all."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing grew that is not meant to, and no promise was broken",
      "1:it did; the report tells what",
      "2:the command was not understood"
    })
final class Soak implements Callable<Integer> {

  private static final long SEED = 1;

  @ParentCommand private Kabar kabar = new Kabar();

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "30",
      description = "How long (${DEFAULT-VALUE}); under 5 there is little to judge.")
  private double minutes;

  @Mixin private Shoppers shoppers = new Shoppers();

  @Override
  public Integer call() throws Exception {
    Terminal terminal = kabar.terminal();
    ChaosRun.Options options =
        new ChaosRun.Options(
            SEED,
            Duration.ofMillis((long) (minutes * 60_000)),
            Set.of(),
            shoppers.customers(),
            shoppers.perSecond());
    Path home = kabar.dataOr(LocalStack.checkout().resolve("target/soak"));
    terminal.title("Soaking for %.1f minutes; logs and report in %s".formatted(minutes, home));
    SoakRun.Report report =
        new SoakRun(LocalStack.onFreePorts(home), options, terminal::say).run(new OfSite());
    terminal.say(report.history().verdict().toString().stripTrailing());
    report.growing().forEach(one -> terminal.say("grows: " + one));
    if (report.history().indiscretions() > 0) {
      terminal.say("%d lines of logs tell an address".formatted(report.history().indiscretions()));
    }
    terminal.say("Report: " + home.resolve("soak.md"));
    if (report.isClean()) {
      terminal.good("all is flat, and no promise was broken");
      return 0;
    }
    terminal.error("something grows, or a promise was broken");
    return 1;
  }
}
