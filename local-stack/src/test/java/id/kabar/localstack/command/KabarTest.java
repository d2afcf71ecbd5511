package id.kabar.localstack.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KabarTest {

  @TempDir Path data;

  @Test
  void everyCommandOfTheHelpIsThere() {
    assertThat(Kabar.commandLine().getSubcommands().keySet())
        .containsExactlyInAnyOrder(
            "up",
            "down",
            "status",
            "demo",
            "kill",
            "freeze",
            "thaw",
            "start",
            "stop",
            "scale",
            "logs",
            "psql",
            "topic",
            "soak",
            "pay",
            "check",
            "dead-letters",
            "notifications",
            "outbox",
            "provider",
            "plant",
            "where",
            "bench",
            "chaos");
  }

  @Test
  void unknownCommandIsAnsweredWithTheNearest() {
    CommandRun result = kabar("statsu");

    assertThat(result.code()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(result.errors()).contains("Did you mean", "status");
  }

  @Test
  void withoutAStackEveryCommandThatNeedsOneSaysHowToStartIt() {
    for (String command :
        new String[] {
          "demo", "kill kafka", "scale outbox-relay=4", "psql orders", "topic order.paid", "status"
        }) {
      CommandRun result = kabar(command.split(" ", -1));

      assertThat(result.code()).as(command).isEqualTo(Kabar.NOT_RUNNING);
      assertThat(result.errors())
          .as(command)
          .contains("No stack runs on " + data, "`./kabar up` starts one");
    }
  }

  @Test
  void statusForProgramsIsJsonEvenWithoutAStack() {
    CommandRun result = kabar("status", "--json");

    assertThat(result.code()).isEqualTo(Kabar.NOT_RUNNING);
    assertThat(result.output()).contains("\"running\" : false");
  }

  @Test
  void logsOfAnUnknownServiceNameThoseThereAre() {
    CommandRun result = kabar("logs", "relay");

    assertThat(result.code()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(result.errors()).contains("There are: postgres, kafka, email-stub");
  }

  @Test
  void countThatIsNoNumberIsRefusedBeforeAnythingHappens() {
    assertThat(kabar("scale", "outbox-relay=many").code()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(kabar("scale", "outbox-relay").code()).isEqualTo(CommandLine.ExitCode.USAGE);
  }

  @Test
  void outputThatGoesToNoTerminalHasNoColours() {
    assertThat(Terminal.styled(Style.RED, "plain")).isEqualTo("plain");
  }

  private CommandRun kabar(String... words) {
    return CommandRun.kabar(data, 0, words);
  }
}
