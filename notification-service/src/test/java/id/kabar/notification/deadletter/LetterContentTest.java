package id.kabar.notification.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.ledger.Letter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class LetterContentTest {

  private final LetterContent contents = new LetterContent(JsonMapper.shared());

  @Test
  void theAddressIsMaskedAndWhatNobodyKnowsIsLeftOut() {
    var shown =
        contents.masked(
            content("{\"customerEmail\":\"budi@example.com\",\"totalAmount\":5,\"to\":\"budi\"}"));
    assertThat(shown).hasToString("{\"totalAmount\":5,\"customerEmail\":\"b***@example.com\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"budi@example.com", "[\"budi@example.com\"]", "", "{\"budi@"})
  void whatIsNoJsonObjectIsNotShownAtAll(String payload) {
    assertThat(contents.masked(content(payload))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"orderId\":{\"x\":\"budi@example.com\"}}", "{\"customerEmail\":[1]}"})
  void aFieldOfAnotherShapeIsNotShown(String payload) {
    assertThat(contents.masked(content(payload))).hasToString("{}");
  }

  @ParameterizedTest
  @CsvSource({"budi@example.com, b***@example.com", "@example.com, ***", "budi, ***", "'', ***"})
  void masksAddresses(String address, String masked) {
    assertThat(LetterContent.mask(address)).isEqualTo(masked);
  }

  @Test
  void theWholeIsJsonOrTextOrBytes() {
    assertThat(contents.whole(content("{\"a\":1}"))).hasToString("{\"a\":1}");
    assertThat(contents.whole(content("hello"))).isEqualTo("hello");
    assertThat(
            contents.whole(new Letter.Content(null, new byte[] {(byte) 0xff, (byte) 0xfe}, "[]")))
        .isEqualTo("base64://4=");
    assertThat(contents.whole(new Letter.Content(null, null, "[]"))).isNull();
  }

  private static Letter.Content content(String payload) {
    return new Letter.Content(null, payload.getBytes(UTF_8), "[]");
  }
}
