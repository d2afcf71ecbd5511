package id.kabar.localstack.command;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.UnknownName;
import id.kabar.localstack.servers.ServerFailed;
import id.kabar.localstack.site.NoSite;
import id.kabar.localstack.site.Site;
import id.kabar.localstack.site.Sites;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** All of Kabar on this machine. */
@Command(
    name = "kabar",
    description = "Runs all of Kabar on this machine, each part as a process of its own.",
    mixinStandardHelpOptions = true,
    version = "kabar 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true,
    subcommands = {
      Up.class,
      Down.class,
      Status.class,
      Demo.class,
      Pay.class,
      Check.class,
      Chaos.class,
      Soak.class,
      DeadLetters.class,
      Notifications.class,
      Outbox.class,
      Provider.class,
      Plant.class,
      Where.class,
      InstanceCommands.Kill.class,
      InstanceCommands.Freeze.class,
      InstanceCommands.Thaw.class,
      InstanceCommands.Start.class,
      InstanceCommands.Stop.class,
      Scale.class,
      Logs.class,
      Psql.class,
      Topic.class,
      Bench.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:it did not work; the message says why",
      "2:the command was not understood",
      "3:no stack runs, or not all of it does (status)"
    })
final class Kabar {

  static final int NOT_RUNNING = 3;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      scope = ScopeType.INHERIT,
      defaultValue = "${env:KABAR_DATA}",
      description = "Where the stack keeps its data (KABAR_DATA; .kabar in the checkout).")
  private @Nullable Path data;

  @Option(
      names = "--port-offset",
      paramLabel = "N",
      scope = ScopeType.INHERIT,
      defaultValue = "${env:KABAR_PORT_OFFSET:-0}",
      description = "Added to every port, for a second stack (KABAR_PORT_OFFSET; 0).")
  private int portOffset;

  private final Terminal terminal = new Terminal(System.out, System.err);

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Kabar())
        .setExecutionExceptionHandler(Kabar::explain)
        .setAbbreviatedSubcommandsAllowed(false)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  /** The stack of the chosen folder, whether it runs or not. */
  LocalStack stack() {
    return LocalStack.at(data == null ? LocalStack.defaultHome() : data, portOffset);
  }

  /** The chosen folder, or another where none was chosen. */
  Path dataOr(Path other) {
    return data == null ? other : data;
  }

  /** The stack of the chosen folder, if anything of it runs. */
  LocalStack runningStack() {
    LocalStack stack = stack();
    if (!stack.isRunning()) {
      throw new NotRunning(stack);
    }
    return stack;
  }

  /** The running Kabar a command is about, on this machine or in containers of it. */
  Site site(On on) {
    return new Sites(stack(), LocalStack.checkout()).reach(on.target());
  }

  /** Where an instance writes, also after the stack has ended. */
  Path logOf(String name) {
    return stack().log(name);
  }

  Terminal terminal() {
    return terminal;
  }

  // What a person can understand and mend is a sentence; anything else is a fault of ours and shows
  // where.
  private static int explain(
      Exception problem, CommandLine command, CommandLine.ParseResult arguments) throws Exception {
    Terminal terminal = new Terminal(System.out, System.err);
    return switch (problem) {
      case NotRunning e -> {
        terminal.error(e.getMessage());
        yield NOT_RUNNING;
      }
      case NoSite e -> {
        terminal.error(e.getMessage());
        yield NOT_RUNNING;
      }
      case UnknownName e -> {
        terminal.error(e.getMessage());
        yield CommandLine.ExitCode.USAGE;
      }
      case IllegalArgumentException e -> {
        terminal.error(e.getMessage());
        yield CommandLine.ExitCode.USAGE;
      }
      case ServerFailed e -> {
        terminal.error(e.getMessage());
        yield CommandLine.ExitCode.SOFTWARE;
      }
      default -> throw problem;
    };
  }

  /** A command needs a running stack and finds none. */
  static final class NotRunning extends RuntimeException {

    NotRunning(LocalStack stack) {
      super("No stack runs on %s. `./kabar up` starts one.".formatted(stack.home()));
    }
  }
}
