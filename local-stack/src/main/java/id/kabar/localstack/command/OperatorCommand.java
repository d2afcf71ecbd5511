package id.kabar.localstack.command;

import id.kabar.localstack.site.Site;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** One question of an operator to a service, or one order; answered for people or for programs. */
abstract class OperatorCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private On on = new On();

  @Option(names = "--json", description = "The service's own answer, for programs.")
  private boolean json;

  abstract JsonNode ask(Site site);

  abstract void print(JsonNode answer, Terminal terminal);

  @Override
  public final Integer call() {
    Kabar kabar = (Kabar) spec.root().userObject();
    try (Site site = kabar.site(on)) {
      JsonNode answer = ask(site);
      Terminal terminal = kabar.terminal();
      if (json) {
        terminal.say(answer.toPrettyString());
      } else {
        print(answer, terminal);
      }
    }
    return 0;
  }

  /** A field of an answer, for people. */
  static String text(JsonNode answer, String name) {
    JsonNode value = answer.path(name);
    return value.isMissingNode() || value.isNull() ? "-" : value.asString();
  }
}
