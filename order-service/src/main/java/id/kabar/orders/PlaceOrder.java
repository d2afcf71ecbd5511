package id.kabar.orders;

import com.fasterxml.jackson.annotation.JsonCreator;
import id.kabar.orders.api.InvalidField;
import id.kabar.orders.api.InvalidRequest;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a client asks for when it places an order. Read by hand, so that one answer names every
 * field at fault, those of a wrong type or an unknown name included.
 */
record PlaceOrder(
    @Schema(type = "string", example = "ani@example.com", maxLength = 254)
        EmailAddress customerEmail,
    @Schema(
            description = "In the currency's minor unit",
            example = "15000000",
            minimum = "1",
            maximum = "9007199254740991")
        long totalAmount,
    @Schema(
            description = "ISO 4217",
            example = "IDR",
            defaultValue = "IDR",
            requiredMode = Schema.RequiredMode.NOT_REQUIRED)
        String currency) {

  /** Beyond this, readers that keep numbers as doubles would see another amount. */
  static final long MAX_AMOUNT = (1L << 53) - 1;

  private static final String DEFAULT_CURRENCY = "IDR";
  private static final Set<String> FIELDS = Set.of("customerEmail", "totalAmount", "currency");
  private static final int UNKNOWN_FIELDS_NAMED = 20;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static PlaceOrder from(JsonNode document) {
    if (!document.isObject()) {
      throw new InvalidRequest("The body must be a JSON object.");
    }
    List<InvalidField> errors = new ArrayList<>();
    JsonNode email = given(document, "customerEmail");
    JsonNode amount = given(document, "totalAmount");
    JsonNode currency = given(document, "currency");
    problemWithEmail(email).ifPresent(p -> errors.add(new InvalidField("customerEmail", p)));
    problemWithAmount(amount).ifPresent(p -> errors.add(new InvalidField("totalAmount", p)));
    problemWithCurrency(currency).ifPresent(p -> errors.add(new InvalidField("currency", p)));
    document.propertyNames().stream()
        .filter(name -> !FIELDS.contains(name))
        .limit(UNKNOWN_FIELDS_NAMED)
        .forEach(name -> errors.add(new InvalidField(name, "is not a field of an order")));
    if (email == null || amount == null || !errors.isEmpty()) {
      throw new InvalidRequest(errors);
    }
    return new PlaceOrder(
        new EmailAddress(email.stringValue()),
        amount.longValue(),
        currency == null ? DEFAULT_CURRENCY : currency.stringValue());
  }

  private static @Nullable JsonNode given(JsonNode document, String name) {
    JsonNode value = document.get(name);
    return value == null || value.isNull() ? null : value;
  }

  private static Optional<String> problemWithEmail(@Nullable JsonNode email) {
    if (email == null) {
      return Optional.of("is required");
    }
    return email.isString()
        ? EmailAddress.problemWith(email.stringValue())
        : Optional.of("must be a string");
  }

  private static Optional<String> problemWithAmount(@Nullable JsonNode amount) {
    if (amount == null) {
      return Optional.of("is required");
    }
    if (!amount.isIntegralNumber()) {
      return Optional.of(
          "must be an integer, without quotes and without a fraction, in the currency's minor unit");
    }
    BigInteger value = amount.bigIntegerValue();
    return value.signum() > 0 && value.compareTo(BigInteger.valueOf(MAX_AMOUNT)) <= 0
        ? Optional.empty()
        : Optional.of("must be between 1 and " + MAX_AMOUNT);
  }

  private static Optional<String> problemWithCurrency(@Nullable JsonNode currency) {
    return currency == null || (currency.isString() && isCurrency(currency.stringValue()))
        ? Optional.empty()
        : Optional.of("must be the code of a currency in ISO 4217, such as IDR");
  }

  /** Gold, the test code and their like have no minor unit to count in. */
  private static boolean isCurrency(String code) {
    try {
      return Currency.getInstance(code).getDefaultFractionDigits() >= 0;
    } catch (IllegalArgumentException unknown) {
      return false;
    }
  }
}
