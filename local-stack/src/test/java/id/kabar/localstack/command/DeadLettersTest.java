package id.kabar.localstack.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Dead letters on a terminal. */
class DeadLettersTest {

  @TempDir Path data;

  @Test
  void everyActIsThere() {
    assertThat(Kabar.commandLine().getSubcommands().get("dead-letters").getSubcommands().keySet())
        .containsExactlyInAnyOrder("list", "counts", "show", "replay", "jobs", "cancel", "discard");
  }

  @Test
  void lettersAreATableWithoutAddresses() {
    String table =
        printed(
            LetterTable::letters,
            """
            {"letters":[{"id":7,"orderId":"o-1","cause":"REJECTED","detail":"rejected with 422",
              "state":"OPEN","attempts":6,"replays":5,"redrives":1,"quarantined":true,
              "lastFailedAt":"2026-11-30T12:00:00.5Z"}],"next":7}
            """);
    assertThat(table.lines().toList().get(1).strip())
        .isEqualTo(
            "7  OPEN       REJECTED              2026-11-30 12:00:00      6        6  "
                + "%-36s  rejected with 422 (only --force replays it)".formatted("o-1"));
    assertThat(table).contains("--after 7");
  }

  @Test
  void aDryRunSaysWhatWouldBeRefusedAndWhy() {
    assertThat(
            printed(
                LetterTable::report,
                """
                {"dryRun":true,"matched":3,"replayed":2,"refusals":{"TOO_MANY_REPLAYS":1},
                  "refused":[{"id":9,"reason":"TOO_MANY_REPLAYS","explanation":"It came back."}],
                  "notLookedAt":0,"job":null}
                """))
        .isEqualTo(
            """
            Of 3 open letters that match 2 would be sent again.
              1 refused: TOO_MANY_REPLAYS
              letter 9, TOO_MANY_REPLAYS: It came back.
            """);
  }

  @Test
  void aReplaySaysHowFarItIsAndWhatItWaitsFor() {
    assertThat(
            printed(
                LetterTable::job,
                """
                {"id":12,"state":"RUNNING","letters":10,"replayed":4,"refused":1,"waiting":5,
                  "request":{"by":"operator","filter":"cause REJECTED"},"waitsFor":"the provider",
                  "today":{"RESOLVED":4},"refusals":[]}
                """))
        .contains(
            "Replay 12 is RUNNING: of 10 letters (cause REJECTED) 4 are sent again, 1 refused, 5 waiting.",
            "It waits for the provider.",
            "4 of those sent again: RESOLVED");
  }

  @Test
  void aLetterTellsItsAttemptsAndWhatWasDone() {
    String letter =
        printed(
            LetterTable::letter,
            """
            {"letter":{"id":7,"state":"OPEN","cause":"REJECTED","detail":"rejected with 422","attempts":1,
              "replays":0,"redrives":0,"firstFailedAt":"2026-11-30T12:00:00Z","lastFailedAt":"2026-11-30T12:00:00Z"},
             "payload":{"customerEmail":"b***@example.com"},"payloadBytes":80,"headers":null,
             "attempts":[{"number":1,"at":"2026-11-30T12:00:00Z","cause":"REJECTED","detail":"rejected with 422",
               "providerStatus":422,"outcomeUnknown":false}],
             "history":[{"at":"2026-11-30T13:00:00Z","operator":"operator","action":"SHOW","reason":null,"job":null}],
             "obstacle":null}
            """);
    assertThat(letter)
        .contains(
            "Letter 7: OPEN, REJECTED, rejected with 422",
            "   1  2026-11-30 12:00:00  REJECTED              rejected with 422",
            "2026-11-30 13:00:00  operator              SHOW",
            "b***@example.com");
  }

  @Test
  void withoutAStackItIsSaidHowToStartOne() {
    CommandRun run = CommandRun.kabar(data, 0, "dead-letters", "list", "--on", "local");
    assertThat(run.code()).isEqualTo(Kabar.NOT_RUNNING);
    assertThat(CommandRun.kabar(data, 0, "dead-letters", "show", "x").code())
        .isEqualTo(CommandLine.ExitCode.USAGE);
  }

  private static String printed(BiConsumer<JsonNode, Terminal> table, String json) {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    table.accept(JsonMapper.shared().readTree(json), new Terminal(stream, stream));
    return out.toString(StandardCharsets.UTF_8);
  }
}
