package id.kabar.localstack.command;

import id.kabar.localstack.site.Target;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which of the running Kabars a command is about. */
final class On {

  @Option(
      names = "--on",
      paramLabel = "local|compose|kind",
      description = "Where Kabar runs; may be left out where only one does.")
  private @Nullable Target target;

  @Nullable Target target() {
    return target;
  }
}
