package id.kabar.localstack.command;

import id.kabar.localstack.site.Site;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

@Command(
    name = "where",
    mixinStandardHelpOptions = true,
    description = "Says where Kabar runs: local, compose or kind.")
final class Where implements Callable<Integer> {

  @ParentCommand private Kabar kabar = new Kabar();

  @Mixin private On on = new On();

  @Override
  public Integer call() {
    try (Site site = kabar.site(on)) {
      kabar.terminal().say(site.target().toString());
    }
    return 0;
  }
}
