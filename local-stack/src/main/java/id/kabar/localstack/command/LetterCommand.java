package id.kabar.localstack.command;

import id.kabar.localstack.site.Site;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What can be done with dead letters, for people or for programs. */
abstract class LetterCommand implements Callable<Integer> {

  @ParentCommand private DeadLetters deadLetters = new DeadLetters();

  @Mixin private On on = new On();

  @Option(names = "--json", description = "For programs.")
  private boolean json;

  @Override
  public final Integer call() {
    try (Site site = deadLetters.kabar().site(on)) {
      return ask(new Operator(site), deadLetters.kabar().terminal());
    }
  }

  abstract int ask(Operator operator, Terminal terminal);

  /** Whether a program asked; then it has been answered. */
  boolean answered(JsonNode answer, Terminal terminal) {
    if (json) {
      terminal.say(JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(answer));
    }
    return json;
  }

  boolean forPeople() {
    return !json;
  }
}
