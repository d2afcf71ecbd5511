package id.kabar.localstack.command;

import id.kabar.localstack.site.Site;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "notifications",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Whether emails are sent, and an operator's last word on it.",
      "An order counts for all instances of notification-service, restarts included, until resume."
    },
    subcommands = {
      Notifications.Status.class,
      Notifications.Pause.class,
      Notifications.Resume.class,
      Notifications.Force.class
    })
final class Notifications {

  /** One question to an instance, or one order. */
  abstract static class AtService extends OperatorCommand {

    abstract JsonNode ask(ManagementPort service);

    @Override
    final JsonNode ask(Site site) {
      return ask(new ManagementPort(site.notifications(), site.operatorPassword()));
    }

    @Override
    final void print(JsonNode answer, Terminal terminal) {
      NotificationsReport.provider(answer, terminal);
    }
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Whether the provider is called, as the instance sees it that is asked.")
  static final class Status extends AtService {

    @Override
    JsonNode ask(ManagementPort service) {
      return service.get("/provider");
    }
  }

  /** Something an operator wants, and why. */
  abstract static class Order extends AtService {

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why.")
    private String reason = "";

    abstract String order();

    @Override
    JsonNode ask(ManagementPort service) {
      return service.post("/provider/" + order(), Map.of("reason", reason));
    }
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Sends no emails: events wait in Kafka, however long.")
  static final class Pause extends Order {

    @Override
    String order() {
      return "pause";
    }
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Ends pause or force: the circuit breaker decides again.")
  static final class Resume extends Order {

    @Override
    String order() {
      return "resume";
    }
  }

  @Command(
      name = "force",
      mixinStandardHelpOptions = true,
      description = "Calls the provider whatever the circuit breaker says and it asked for.")
  static final class Force extends Order {

    @Override
    String order() {
      return "force";
    }
  }
}
