package id.kabar.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import id.kabar.systemtests.Script.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts of the folder chaos, as far as they can be tried without a Kabar. */
class ChaosScriptsTest {

  private static final Path FOLDER = Script.CHECKOUT.resolve("chaos");
  private static final String LIBRARY = "lib.sh";

  @TempDir private Path tools;

  static List<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.contains("."))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void everyScriptIsExecutableAndTellsWhatItDoesAndWhatShouldHappen(String script)
      throws IOException, InterruptedException {
    assertThat(FOLDER.resolve(script)).isExecutable();

    Run help = Script.run(Map.of(), List.of("chaos/" + script, "--help"));

    assertThat(help.code()).as(help.output()).isZero();
    assertThat(help.output())
        .contains("Usage: chaos/" + script, "What it does: ", "Expected: ", "--on", "--orders");
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void everyScriptIsSoundShell(String script) throws IOException, InterruptedException {
    assertThat(Script.run(Map.of(), List.of("sh", "-n", "chaos/" + script)))
        .isEqualTo(new Run(0, ""));
  }

  @Test
  void shellcheckFindsNothing() throws IOException, InterruptedException {
    assumeThat(Script.run(Map.of(), List.of("sh", "-c", "command -v shellcheck")).code())
        .as("shellcheck is installed")
        .isZero();

    assertThat(
            Script.run(
                Map.of(),
                List.of(
                    "sh",
                    "-c",
                    "cd chaos && shellcheck --external-sources $(ls | grep -v README)")))
        .isEqualTo(new Run(0, ""));
  }

  @Test
  void tableOfTheReadmeNamesEveryScript() throws IOException {
    assertThat(Files.readString(FOLDER.resolve("README.md")))
        .contains(scripts().stream().map(script -> "`" + script).toList());
  }

  @Test
  void allRunsEveryOther() throws IOException {
    List<String> listed =
        Files.readAllLines(FOLDER.resolve("all")).stream()
            .map(line -> line.replace("experiments='", "").replace("'", "").split(" ", 2)[0])
            .toList();

    assertThat(listed)
        .containsAll(scripts().stream().filter(script -> !script.equals("all")).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "kill-relay --orders none ; --orders is a number",
        "kill-relay --orders      ; --orders needs a value",
        "kill-relay --on mars     ; --on is local, compose or kind",
        "kill-relay now           ; what is 'now'?",
        "email-errors 500         ; which errors, 503|429|400?",
      })
  void whatCannotBeUnderstoodIsSaidBeforeAnythingHappens(String command, String answer)
      throws IOException, InterruptedException {
    Run run = Script.run(Map.of(), List.of("sh", "-c", "chaos/" + command));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.output()).contains(answer, "--help");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind    | take_down kafka   | kubectl scale statefulset/kafka --replicas 0",
        "kind    | take_down kafka   | kubectl delete pod/one --force --grace-period 0"
            + " --ignore-not-found",
        "kind    | take_down kafka   | kubectl scale statefulset/kafka --replicas 1",
        "kind    | take_down kafka   | kubectl rollout status statefulset/kafka --timeout 180s",
        "kind    | kill_one outbox-relay   | kubectl delete pod/one --force --grace-period 0",
        "kind    | kill_one outbox-relay   | kubectl rollout status deployment/outbox-relay"
            + " --timeout 180s",
        "kind    | kill_one orders-db      | kubectl rollout status statefulset/orders-db --timeout"
            + " 180s",
        "kind    | freeze_one outbox-relay | docker exec kabar-control-plane kill -STOP one",
        "kind    | freeze_one outbox-relay | docker exec kabar-control-plane kill -CONT one",
        "compose | kill_one email-stub     | docker kill one",
        "compose | kill_one email-stub     | docker compose start email-stub",
        "compose | take_down kafka         | docker kill one",
        "compose | freeze_one outbox-relay | docker pause one",
        "compose | freeze_one outbox-relay | docker unpause one",
      })
  void faultAndItsCureReachTheirService(String on, String fault, String call)
      throws IOException, InterruptedException {
    assertThat(callsOf(on, fault + "; healed")).contains(call);
  }

  @Test
  void aContainerStartedAgainIsWaitedForUntilItIsHealthy()
      throws IOException, InterruptedException {
    assertThat(callsOf("compose", "kill_one email-stub; healed"))
        .filteredOn(call -> call.contains("{{.Health}} email-stub"))
        .hasSize(2);
  }

  @Test
  void healingARelayInTheClusterLeavesItsReplicasAlone() throws IOException, InterruptedException {
    assertThat(callsOf("kind", "kill_one outbox-relay; healed"))
        .noneMatch(call -> call.contains("scale"));
  }

  @Test
  void experimentThatIsToldToStopIsHealed() throws IOException, InterruptedException {
    Path calls = pretend();
    Run run =
        Script.run(
            path(),
            script(
                "compose",
                "trap finish EXIT; trap 'exit 143' TERM; began=0; load=; "
                    + "freeze_one outbox-relay; kill -TERM $$; pay"));

    assertThat(run.code()).isEqualTo(143);
    assertThat(run.output()).contains("STOPPED");
    assertThat(Files.readAllLines(calls)).last().isEqualTo("docker unpause one");
  }

  /** What docker and kubectl are told when a piece of an experiment runs. */
  private List<String> callsOf(String on, String piece) throws IOException, InterruptedException {
    Path calls = pretend();
    Run run = Script.run(path(), script(on, piece));
    assertThat(run.code()).as(run.output()).isZero();
    return Files.readAllLines(calls);
  }

  private static List<String> script(String on, String piece) {
    String library = FOLDER.resolve(LIBRARY).toString();
    return List.of(
        "sh", "-c", ". %s; on=%s; heal=; %s".formatted(library, on, piece), "chaos/experiment");
  }

  /** Programs that note how they were called and name one thing of every kind. */
  private Path pretend() throws IOException {
    Path calls = tools.resolve("calls");
    Path askedBefore = tools.resolve("asked-before");
    for (String tool : new String[] {"docker", "kubectl"}) {
      Path fake = tools.resolve(tool);
      Files.writeString(
          fake,
          """
          #!/bin/sh
          case $1 in --context) shift 4 ;; esac
          echo "%s $*" >>'%s'
          case $* in
            get*) echo pod/one ;;
            *.Health*) if [ -f '%s' ]; then echo healthy; else echo starting | tee '%s'; fi ;;
            *) echo one ;;
          esac
          """
              .formatted(tool, calls, askedBefore, askedBefore));
      Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwx------"));
    }
    return calls;
  }

  private Map<String, String> path() {
    return Map.of("PATH", tools + ":" + System.getenv("PATH"));
  }
}
