package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import id.kabar.orders.api.InvalidRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class PlaceOrderTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @Test
  void isReadFromItsDocument() {
    PlaceOrder request =
        read(
            """
            {"customerEmail": "ani@example.com", "totalAmount": 15000000, "currency": "USD"}
            """);

    assertThat(request)
        .isEqualTo(new PlaceOrder(new EmailAddress("ani@example.com"), 15_000_000, "USD"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", \"currency\": null", ", \"currency\": \"IDR\""})
  void isInRupiahUnlessItSaysOtherwise(String currency) {
    PlaceOrder request =
        read("{\"customerEmail\": \"ani@example.com\", \"totalAmount\": 1" + currency + "}");

    assertThat(request.currency()).isEqualTo("IDR");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "9007199254740991"})
  void takesEveryAmountThatDoublesTell(String amount) {
    assertThat(withAmount(amount).totalAmount()).isEqualTo(Long.parseLong(amount));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-1",
        "-0",
        "10.5",
        "10.0",
        "1e3",
        "1e999999999",
        "9007199254740992",
        "9223372036854775808",
        "123456789012345678901234567890",
        "\"15000\"",
        "true",
        "null",
        "[1]",
        "{}"
      })
  void refusesOtherAmounts(String amount) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> withAmount(amount))
        .withMessage("1 field is at fault.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"idr\"", "\"\"", "\"IDRX\"", "\"ABC\"", "\"XAU\"", "\"XXX\"", "360", "[]"})
  void refusesWhatIsNoCurrencyToPayIn(String currency) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(
            () ->
                read(
                    "{\"customerEmail\": \"ani@example.com\", \"totalAmount\": 1, \"currency\": "
                        + currency
                        + "}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "null", "1", "\"x\""})
  void isAnObject(String document) {
    assertThatExceptionOfType(InvalidRequest.class)
        .isThrownBy(() -> read(document))
        .withMessageContaining("JSON object");
  }

  private static PlaceOrder withAmount(String amount) {
    return read("{\"customerEmail\": \"ani@example.com\", \"totalAmount\": " + amount + "}");
  }

  private static PlaceOrder read(String document) {
    return PlaceOrder.from(JSON.readTree(document));
  }
}
