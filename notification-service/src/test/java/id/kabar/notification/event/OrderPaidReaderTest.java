package id.kabar.notification.event;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Instant;
import java.util.Currency;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrderPaidReaderTest {

  private static final String TYPE = "id.kabar.OrderPaid.v1";
  private static final String ADDRESS = "budi.santoso@example.com";
  private static final String EVENT =
      """
      {"eventId":"01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01","orderId":"01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02",\
      "customerEmail":"budi.santoso@example.com","totalAmount":15000000,"currency":"IDR",\
      "paidAt":"2026-11-30T10:15:30.123456Z"}""";

  private final OrderPaidReader reader = new OrderPaidReader();

  @Test
  void readsWhatOrderServiceWrites() {
    assertThat(read(EVENT))
        .isEqualTo(
            new OrderPaid(
                UUID.fromString("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01"),
                UUID.fromString("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02"),
                ADDRESS,
                15_000_000,
                Currency.getInstance("IDR"),
                Instant.parse("2026-11-30T10:15:30.123456Z")));
  }

  @Test
  void fieldsOfLaterMinorVersionsAreIgnored() {
    String newer = EVENT.replace("{\"eventId\"", "{\"loyalty\":{\"points\":[1,2]},\"eventId\"");
    assertThat(read(newer)).isEqualTo(read(EVENT));
  }

  @Test
  void namesAndAddressesInAnyScriptSurvive() {
    assertThat(read(EVENT.replace(ADDRESS, "büdi+🎉@exämple.id")).customerEmail())
        .isEqualTo("büdi+🎉@exämple.id");
  }

  static Stream<Arguments> poison() {
    return Stream.of(
        arguments("not JSON at line 1, column 1", "hello"),
        arguments("not JSON", "{\"eventId\":"),
        arguments("not JSON", EVENT + "{}"),
        arguments("not JSON", EVENT.replace("{\"eventId\"", "{\"currency\":\"USD\",\"eventId\"")),
        arguments("not JSON", "{\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}"),
        arguments("not a JSON object", "\"" + "x".repeat(1000) + "\""),
        arguments("not a JSON object", "[" + EVENT + "]"),
        arguments("not a JSON object", "null"),
        arguments("1000000 bytes, more than 65536", "\"" + "x".repeat(999_998) + "\""),
        arguments("eventId is missing", EVENT.replace("eventId", "eventID")),
        arguments(
            "eventId is not a UUID", EVENT.replace("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01", "1")),
        arguments(
            "eventId is not text", EVENT.replace("\"01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01\"", "1")),
        arguments("orderId is missing", EVENT.replace("orderId", "order")),
        arguments("customerEmail is missing", EVENT.replace("\"" + ADDRESS + "\"", "null")),
        arguments("customerEmail is not one address", EVENT.replace(ADDRESS, "a@b.id,c@d.id")),
        arguments(
            "customerEmail is not one address", EVENT.replace(ADDRESS, "a@b.id\\r\\nBcc: c@d.id")),
        arguments("customerEmail is not one address", EVENT.replace(ADDRESS, "a\\u0000@b.id")),
        arguments("customerEmail is not one address", EVENT.replace(ADDRESS, "Budi <a@b.id>")),
        arguments(
            "customerEmail is not one address", EVENT.replace(ADDRESS, "a".repeat(250) + "@b.id")),
        arguments("totalAmount is not an integer", EVENT.replace("15000000", "\"15000000\"")),
        arguments("totalAmount is not an integer", EVENT.replace("15000000", "1.5")),
        arguments("totalAmount is not an integer", EVENT.replace("15000000", "9".repeat(30))),
        arguments("totalAmount is out of range", EVENT.replace("15000000", "0")),
        arguments("totalAmount is out of range", EVENT.replace("15000000", "-1")),
        arguments("totalAmount is out of range", EVENT.replace("15000000", "9007199254740992")),
        arguments("currency is not known", EVENT.replace("IDR", "ABC")),
        arguments("paidAt is not a time", EVENT.replace("2026-11-30T", "2026-13-30T")),
        arguments("paidAt is not in UTC", EVENT.replace("123456Z", "123456+07:00")));
  }

  @ParameterizedTest
  @MethodSource("poison")
  void poisonSaysWhatIsWrongWithoutQuotingIt(String reason, String value) {
    assertThatExceptionOfType(UnreadableRecord.class)
        .isThrownBy(() -> read(value))
        .satisfies(
            e -> {
              assertThat(e.reason()).contains(reason);
              assertThat(e.reason().length()).isLessThan(120);
              assertThat(e.reason()).doesNotContain("budi", "hello", "Bcc");
            });
  }

  @Test
  void nothingIsPoison() {
    assertThatExceptionOfType(UnreadableRecord.class).isThrownBy(() -> reader.read(TYPE, null));
    assertThatExceptionOfType(UnreadableRecord.class)
        .isThrownBy(() -> reader.read(TYPE, new byte[0]));
  }

  @Test
  void anotherEncodingIsPoisonOrReadRightly() {
    assertThat(reader.read(TYPE, EVENT.getBytes(UTF_16)).customerEmail()).isEqualTo(ADDRESS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"OrderPaid", "id.kabar.OrderPaid.v2", "id.kabar.OrderCancelled.v1", ""})
  void unknownTypesAreRefused(String type) {
    assertThatExceptionOfType(UnreadableRecord.class)
        .isThrownBy(() -> reader.read(type, EVENT.getBytes(UTF_8)));
    assertThatExceptionOfType(UnreadableRecord.class)
        .isThrownBy(() -> reader.read(null, EVENT.getBytes(UTF_8)));
  }

  @Test
  void anEventPrintsWithoutItsAddress() {
    assertThat(read(EVENT).toString()).contains("01939c5a").doesNotContain("budi");
  }

  private OrderPaid read(String value) {
    return reader.read(TYPE, value.getBytes(UTF_8));
  }
}
