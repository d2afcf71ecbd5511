package id.kabar.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.systemtests.Script.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random faults on all processes and between them, under load, from seeds that never change: no
 * promise is broken. And where one would be, the history says so.
 */
class NemesisIT {

  private static final int PATIENCE_SECONDS = 1_200; // for a patient end; most take the half

  private static final String MINUTES = System.getProperty("kabar.chaos.minutes", "0.5");

  /** Half a minute of one of them; the whole check takes five minutes of three. */
  static List<String> seeds() {
    return List.of(System.getProperty("kabar.chaos.seeds", "19").split(",", -1));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noPromiseIsBroken(String seed) throws IOException, InterruptedException {
    Run run = chaos(Map.of(), seed, MINUTES);

    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("History check: clean", "seed %s: no promise was broken".formatted(seed));
  }

  /**
   * The control: a provider that ignores keys makes second emails of lost answers. The seed begins
   * with a minute of them; {@code ScheduleTest} holds it to that.
   */
  @Test
  @EnabledIfSystemProperty(
      named = "kabar.chaos.control",
      matches = "true",
      disabledReason = "takes two minutes: -Dkabar.chaos.control=true")
  void brokenPromiseIsFound() throws IOException, InterruptedException {
    Run run = chaos(Map.of("EMAIL_STUB_IGNORE_KEYS", "true"), "266", "0.2");

    assertThat(run.code()).as(run.output()).isEqualTo(1);
    assertThat(run.output()).contains("MAILED_TWICE (K-3)", "promises were broken");
  }

  private static Run chaos(Map<String, String> more, String seed, String minutes)
      throws IOException, InterruptedException {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("KABAR_BUILD", "no"); // Maven has just done it
    String home = Path.of("target", "nemesis-" + seed).toAbsolutePath().toString();
    Run run =
        Script.run(
            environment,
            List.of("./kabar", "--data", home, "chaos", "--seed", seed, "--minutes", minutes),
            PATIENCE_SECONDS);
    System.out.println(run.output());
    return run;
  }
}
