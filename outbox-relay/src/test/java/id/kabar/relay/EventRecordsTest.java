package id.kabar.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRecordsTest {

  private static final UUID ID = UUID.fromString("01930000-0000-7000-8000-000000000001");
  private static final RelaySettings SETTINGS = Settings.of("routes.OrderPaid", "order.paid");

  private final Map<String, Topics.Topic> topics =
      new HashMap<>(Map.of("order.paid", new Topics.Topic(1000, null)));
  private final EventRecords records = new EventRecords(SETTINGS, topics::get, false);

  @Test
  void bytesKeyAndHeadersArriveAsTheyWereWritten() throws UnfitEvent {
    String payload = "{ \"name\": \"Zoë 👋\", \"b\":1, \"a\":\"\\u0000\\ud800\" }";

    ProducerRecord<byte[], byte[]> record =
        records.record(
            event("OrderPaid", payload, "{\"ce_type\":\"id.kabar.OrderPaid.v1\",\"x\":\"ü\"}"));

    assertThat(record.topic()).isEqualTo("order.paid");
    assertThat(record.key()).isEqualTo("order-1".getBytes(UTF_8));
    assertThat(record.value()).isEqualTo(payload.getBytes(UTF_8));
    assertThat(headers(record))
        .containsEntry("ce_type", "id.kabar.OrderPaid.v1")
        .containsEntry("x", "ü");
  }

  @Test
  void bareRowBecomesACompleteCloudEvent() throws UnfitEvent {
    assertThat(headers(records.record(event("OrderPaid", "{}", "{}"))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "ce_specversion", "1.0",
                "ce_id", ID.toString(),
                "ce_type", "OrderPaid",
                "ce_source", "/Order",
                "ce_subject", "order-1",
                "ce_time", "2026-11-30T10:15:30.123456Z",
                "content-type", "application/json"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "\"text\"", "null", "{\"a\":1}", "{\"a\":{}}", "{\"a\":null}"})
  void headersThatAreNoFlatTextsParkTheEvent(String headers) {
    Failure failure = unfit(event("OrderPaid", "{}", headers));

    assertThat(failure.fate()).isEqualTo(Failure.Fate.PARK);
    assertThat(failure.reason()).startsWith("headers");
  }

  @Test
  void eventWithoutRouteIsParkedWithTheSettingToAdd() {
    Failure failure = unfit(event("OrderShipped", "{}", "{}"));

    assertThat(failure.fate()).isEqualTo(Failure.Fate.PARK);
    assertThat(failure.reason()).contains("relay.routes.OrderShipped");
  }

  @Test
  void routeIsFoundWhateverItsLetterCase() throws UnfitEvent {
    // an environment variable cannot keep the case
    EventRecords shouting =
        new EventRecords(Settings.of("routes.ORDERPAID", "order.paid"), topics::get, false);

    assertThat(shouting.record(event("OrderPaid", "{}", "{}")).topic()).isEqualTo("order.paid");
  }

  @Test
  void eventForAnAbsentTopicIsRefusedBeforeItIsSent() {
    topics.put("order.paid", new Topics.Topic(1000, Failure.retry("not there")));

    assertThat(unfit(event("OrderPaid", "{}", "{}"))).isEqualTo(Failure.retry("not there"));
  }

  @Test
  void eventTooLargeForItsTopicIsParkedBeforeItIsSent() {
    Failure failure = unfit(event("OrderPaid", "\"" + "x".repeat(1000) + "\"", "{}"));

    assertThat(failure.fate()).isEqualTo(Failure.Fate.PARK);
    assertThat(failure.reason()).startsWith("Too large").doesNotContain("xxx");
  }

  @Test
  void sizeOfWhatWillBeCompressedIsLeftToTheBroker() throws UnfitEvent {
    EventRecords compressed = new EventRecords(SETTINGS, topics::get, true);
    Event large = event("OrderPaid", "\"" + "x".repeat(1000) + "\"", "{}");

    assertThat(compressed.record(large).value()).hasSize(1002);
  }

  private Failure unfit(Event event) {
    return catchThrowableOfType(UnfitEvent.class, () -> records.record(event)).failure();
  }

  private static Event event(String type, String payload, String headers) {
    Instant created = Instant.parse("2026-11-30T10:15:30.123456Z");
    return new Event(1, 1, ID, "Order", "order-1", type, payload.getBytes(UTF_8), headers, created);
  }

  private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    record
        .headers()
        .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
    return headers;
  }
}
