package id.kabar.localstack.command;

import id.kabar.localstack.history.HistoryReader;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.site.Site;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Command(
    name = "provider",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Breaks the email stub's answers, mends them, or prints its account.",
    subcommands = {Provider.Breaks.class, Provider.Works.class, Provider.Account.class})
final class Provider {

  @ParentCommand private Kabar kabar = new Kabar();

  abstract static class AtProvider implements Callable<Integer> {

    @ParentCommand private Provider provider = new Provider();

    @Mixin private On on = new On();

    final Http http = new Http();

    abstract int act(Site site);

    @Override
    public final Integer call() {
      try (Site site = provider.kabar.site(on)) {
        return act(site);
      }
    }

    void say(String text) {
      provider.kabar.terminal().say(text);
    }

    static URI faults(Site site) {
      return site.emailStub().resolve("/__admin/faults");
    }
  }

  @Command(
      name = "breaks",
      mixinStandardHelpOptions = true,
      description = "Switches on a fault; the stub's README describes them.")
  static final class Breaks extends AtProvider {

    private static final Duration LOOK = Duration.ofMillis(100);

    @Parameters(paramLabel = "JSON", description = "Like '{\"mode\":\"status\",\"status\":503}'")
    private String fault = "";

    @Option(
        names = "--until-felt",
        paramLabel = "N",
        defaultValue = "0",
        description = "Wait until it has met so many calls.")
    private int felt;

    @Option(
        names = "--patience",
        paramLabel = "SECONDS",
        defaultValue = "120",
        description = "How long to wait for them (${DEFAULT-VALUE}).")
    private int patienceSeconds;

    @Override
    int act(Site site) {
      long before = calls(site);
      http.send("PUT", faults(site), parsed(), Map.of());
      say("The provider breaks: " + fault);
      long deadline = System.nanoTime() + Duration.ofSeconds(patienceSeconds).toNanos();
      long met = 0;
      while (met < felt) {
        if (System.nanoTime() > deadline) {
          throw new ServerFailed(
              "Within %d s the provider had %d calls, not %d."
                  .formatted(patienceSeconds, met, felt));
        }
        LockSupport.parkNanos(LOOK.toNanos());
        met = calls(site) - before;
      }
      if (felt > 0) {
        say("%d calls have met it.".formatted(met));
      }
      return 0;
    }

    private JsonNode parsed() {
      try {
        return JsonMapper.shared().readTree(fault);
      } catch (JacksonException e) {
        throw new IllegalArgumentException("The fault is no JSON: " + e.getOriginalMessage());
      }
    }

    private long calls(Site site) {
      JsonNode inbox = http.get(site.emailStub().resolve("/__admin/inbox?countsOnly=true"));
      return Stream.of("accepted", "repeated", "refused")
          .mapToLong(what -> inbox.required(what).asLong())
          .sum();
    }
  }

  @Command(
      name = "works",
      mixinStandardHelpOptions = true,
      description = "Switches off all faults.")
  static final class Works extends AtProvider {

    @Override
    int act(Site site) {
      http.send("DELETE", faults(site), null, Map.of());
      say("The provider works.");
      return 0;
    }
  }

  @Command(
      name = "account",
      mixinStandardHelpOptions = true,
      description = {
        "Prints what the stub did under each key, a line of JSON each, for `kabar check --account`.",
        "Its memory dies with it: keep its account before it is killed."
      })
  static final class Account extends AtProvider {

    @Override
    int act(Site site) {
      new HistoryReader(site.sources())
          .inbox()
          .forEach(each -> say(JsonMapper.shared().writeValueAsString(each)));
      return 0;
    }
  }
}
