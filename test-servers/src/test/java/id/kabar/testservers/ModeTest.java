package id.kabar.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ModeTest {

  @Test
  void containersWhereADockerEngineAnswers() {
    Mode.Decision decision = Mode.decide(null, () -> true);

    assertThat(decision.mode()).isEqualTo(Mode.CONTAINERS);
    assertThat(decision.announce("Kafka", "localhost:1"))
        .isEqualTo(
            "test-servers: Kafka is a container at localhost:1"
                + " (a Docker engine answers; -Dkabar.test-servers=embedded avoids it)");
  }

  @Test
  void processesOfTheirOwnElsewhere() {
    Mode.Decision decision = Mode.decide("", () -> false);

    assertThat(decision.mode()).isEqualTo(Mode.EMBEDDED);
    assertThat(decision.reason()).isEqualTo("no Docker engine answers");
  }

  @Test
  void thePropertyDecidesWithoutAskingDocker() {
    assertThat(Mode.decide("embedded", ModeTest::unexpected).mode()).isEqualTo(Mode.EMBEDDED);
    assertThat(Mode.decide("containers", ModeTest::unexpected).mode()).isEqualTo(Mode.CONTAINERS);
  }

  @Test
  void anUnknownModeIsRefusedByName() {
    assertThatThrownBy(() -> Mode.decide("docker", ModeTest::unexpected))
        .hasMessage("-Dkabar.test-servers=docker is unknown: say embedded or containers");
  }

  private static boolean unexpected() {
    throw new AssertionError("nobody should ask");
  }
}
