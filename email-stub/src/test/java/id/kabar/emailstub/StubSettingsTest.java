package id.kabar.emailstub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the stub understands its arguments and its environment. */
class StubSettingsTest {

  @Test
  void withoutSettingsItListensOnLoopbackAndHonoursKeysForADay() {
    assertThat(StubSettings.of(new String[0], Map.of()))
        .isEqualTo(new StubSettings(8089, "127.0.0.1", Duration.ofHours(24), false, null, false));
  }

  @Test
  void argumentsWinOverTheEnvironment() {
    StubSettings settings =
        StubSettings.of(
            new String[] {"--port", "1", "--address", "0.0.0.0"},
            Map.of(
                "EMAIL_STUB_PORT", "2",
                "EMAIL_STUB_ADDRESS", "::1",
                "EMAIL_STUB_KEY_WINDOW", "PT5S",
                "EMAIL_STUB_IGNORE_KEYS", "true",
                "EMAIL_STUB_JOURNAL", "/tmp/journal"));

    assertThat(settings)
        .isEqualTo(
            new StubSettings(
                1, "0.0.0.0", Duration.ofSeconds(5), true, Path.of("/tmp/journal"), false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--port", "--port many", "--port 65536", "--port -1", "--prot 1", "1"})
  void argumentItCannotFollowIsRefused(String line) {
    assertThatExceptionOfType(StubSettings.Invalid.class)
        .isThrownBy(() -> StubSettings.of(line.split(" "), Map.of()))
        .withMessageMatching(".*(--help|from 0 to 65535).*");
  }

  @ParameterizedTest
  @CsvSource({
    "EMAIL_STUB_PORT, x",
    "EMAIL_STUB_KEY_WINDOW, 24h",
    "EMAIL_STUB_KEY_WINDOW, PT0S",
    "EMAIL_STUB_KEY_WINDOW, PT-1S",
    "EMAIL_STUB_IGNORE_KEYS, yes",
    "EMAIL_STUB_JOURNAL, /no/such/folder/journal",
    "EMAIL_STUB_JOURNAL, /"
  })
  void environmentItCannotFollowIsRefused(String name, String value) {
    assertThatExceptionOfType(StubSettings.Invalid.class)
        .isThrownBy(() -> StubSettings.of(new String[0], Map.of(name, value)))
        .withMessageContaining(value);
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, 127.0.0.1", "0.0.0.0, localhost", "::, localhost", "::1, [::1]"})
  void addressIsShownAsAHostThatOpensIt(String address, String host) {
    assertThat(StubSettings.of(new String[] {"--address", address}, Map.of()).hostForUrl())
        .isEqualTo(host);
  }

  @Test
  void helpNamesEverySetting() {
    assertThat(StubSettings.of(new String[] {"--help"}, Map.of()).help()).isTrue();
    assertThat(StubSettings.HELP)
        .contains("--port", "--address", "EMAIL_STUB_PORT", "EMAIL_STUB_ADDRESS")
        .contains("EMAIL_STUB_KEY_WINDOW", "EMAIL_STUB_IGNORE_KEYS", "EMAIL_STUB_JOURNAL");
  }
}
