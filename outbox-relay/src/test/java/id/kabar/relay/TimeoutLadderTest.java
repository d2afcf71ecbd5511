package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeoutLadderTest {

  @Test
  void defaultsAreInOrder() {
    assertThatCode(() -> TimeoutLadder.check(Settings.defaults().timeouts()))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "timeouts.max-block, 10s, 'relay.timeouts.max-block (10s) must be shorter than relay.timeouts.delivery (10s)'",
    "timeouts.delivery, 13s, 'relay.timeouts.delivery (13s) must be shorter than relay.timeouts.round (12s)'",
    "timeouts.session, 11500ms, 'relay.timeouts.round (12s) must be shorter than relay.timeouts.session (11500ms)'",
  })
  void misorderedLadderNamesTheValuesToChange(String setting, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeoutLadder.check(Settings.of(setting, value).timeouts()))
        .withMessageStartingWith(message)
        .withMessageContaining("lower the first or raise the second");
  }

  @Test
  void zeroIsNoTimeout() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeoutLadder.check(Settings.of("timeouts.max-block", "0s").timeouts()))
        .withMessage("relay.timeouts.max-block is 0s: raise it above zero");
  }
}
