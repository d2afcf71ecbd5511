package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.chaos.ChaosRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description = {
      "Breaks a stack of its own at random while customers buy, heals it, and lets its history"
          + " judge.",
      "The same seed breaks the same things at the same times. Ctrl-C ends and undoes it all."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no promise was broken, and every payment was mailed",
      "1:it was; the verdict tells the smallest story of each kind",
      "2:the command was not understood"
    })
final class Chaos implements Callable<Integer> {

  @ParentCommand private Kabar kabar = new Kabar();

  @Option(
      names = "--seed",
      paramLabel = "N",
      required = true,
      description = "Decides what is broken when.")
  private long seed;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "5",
      description = "How long things are broken (${DEFAULT-VALUE}); healing comes after it.")
  private double minutes;

  @Mixin private Shoppers shoppers = new Shoppers();

  @Option(
      names = "--only",
      paramLabel = "KIND",
      split = ",",
      description = {
        "Of the seed's faults only those: kill, freeze, stop, restart, scale, absence, provider,",
        "network, clock, diskfull, longtransaction."
      })
  private Set<String> kinds = Set.of();

  @Override
  public Integer call() throws Exception {
    Terminal terminal = kabar.terminal();
    ChaosRun.Options options =
        new ChaosRun.Options(
            seed,
            Duration.ofMillis((long) (minutes * 60_000)),
            kinds,
            shoppers.customers(),
            shoppers.perSecond());
    Path home = kabar.dataOr(LocalStack.checkout().resolve("target/chaos-" + seed));
    terminal.title(
        "Seed %d: things break for %.1f minutes; logs and history in %s"
            .formatted(seed, minutes, home));
    LocalStack stack = LocalStack.onFreePorts(home);
    ChaosRun.Report report = new ChaosRun(stack, options, terminal::say).run(new OfSite());
    report.troubles().forEach(trouble -> terminal.say("did not work: " + trouble));
    if (report.indiscretions() > 0) {
      terminal.say("%d lines of logs tell an address".formatted(report.indiscretions()));
    }
    terminal.say(report.figures().toString());
    terminal.say(report.verdict().toString().stripTrailing());
    terminal.say("History: " + report.history());
    if (report.isClean()) {
      terminal.good("seed %d: no promise was broken".formatted(seed));
      return 0;
    }
    terminal.error("seed %d: promises were broken".formatted(seed));
    return 1;
  }
}
