package id.kabar.localstack.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
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
            "up", "down", "status", "demo", "kill", "freeze", "thaw", "start", "stop", "scale",
            "logs", "psql", "topic");
  }

  @Test
  void unknownCommandIsAnsweredWithTheNearest() {
    Result result = kabar("statsu");

    assertThat(result.code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(result.errors).contains("Did you mean", "status");
  }

  @Test
  void withoutAStackEveryCommandThatNeedsOneSaysHowToStartIt() {
    for (String command :
        new String[] {
          "demo", "kill kafka", "scale outbox-relay=4", "psql orders", "topic order.paid", "status"
        }) {
      Result result = kabar(command.split(" ", -1));

      assertThat(result.code).as(command).isEqualTo(Kabar.NOT_RUNNING);
      assertThat(result.errors)
          .as(command)
          .contains("No stack runs on " + data, "`./kabar up` starts one");
    }
  }

  @Test
  void statusForProgramsIsJsonEvenWithoutAStack() {
    Result result = kabar("status", "--json");

    assertThat(result.code).isEqualTo(Kabar.NOT_RUNNING);
    assertThat(result.output).contains("\"running\" : false");
  }

  @Test
  void logsOfAnUnknownServiceNameThoseThereAre() {
    Result result = kabar("logs", "relay");

    assertThat(result.code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(result.errors).contains("There are: postgres, kafka, email-stub");
  }

  @Test
  void countThatIsNoNumberIsRefusedBeforeAnythingHappens() {
    assertThat(kabar("scale", "outbox-relay=many").code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(kabar("scale", "outbox-relay").code).isEqualTo(CommandLine.ExitCode.USAGE);
  }

  @Test
  void outputThatGoesToNoTerminalHasNoColours() {
    assertThat(Terminal.styled(Style.RED, "plain")).isEqualTo("plain");
  }

  private record Result(int code, String output, String errors) {}

  private Result kabar(String... words) {
    String[] arguments = new String[words.length + 2];
    arguments[0] = "--data";
    arguments[1] = data.toString();
    System.arraycopy(words, 0, arguments, 2, words.length);
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    StringWriter usage = new StringWriter();
    try {
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
      int code = Kabar.commandLine().setErr(new PrintWriter(usage, true)).execute(arguments);
      return new Result(
          code,
          output.toString(StandardCharsets.UTF_8),
          errors.toString(StandardCharsets.UTF_8) + usage);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
