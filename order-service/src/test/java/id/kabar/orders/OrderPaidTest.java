package id.kabar.orders;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import id.kabar.orders.outbox.OutboxEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class OrderPaidTest {

  private static final Path SCHEMA = Path.of("../docs/events/order-paid.v1.json");

  private final JsonMapper json = JsonMapper.builder().build();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-30T12:00:00Z",
        "2026-11-30T12:00:00.5Z",
        "2026-11-30T12:00:00.123456Z",
        "2026-01-01T00:00:00.000001Z"
      })
  void isWhatItsSchemaSays(String paidAt) throws IOException {
    OutboxEvent event = paid("ani@example.com", Instant.parse(paidAt)).toOutboxEvent(json);

    assertThat(schema().validate(event.payload(), InputFormat.JSON)).isEmpty();
  }

  @Test
  void theSchemaWouldNoticeAMissingField() throws IOException {
    String payload = paid("ani@example.com", Instant.EPOCH).toOutboxEvent(json).payload();

    assertThat(schema().validate(payload.replace("currency", "Currency"), InputFormat.JSON))
        .isNotEmpty();
  }

  @Test
  void keepsTheOrderOfItsFieldsAndEveryCharacter() {
    UUID id = UUID.fromString("019ad0d2-0000-7000-8000-000000000001");
    OrderPaid paid =
        new OrderPaid(
            id,
            id,
            new EmailAddress("o'b\"rien+😀é@exämple.com"),
            9_007_199_254_740_991L,
            "IDR",
            Instant.parse("2026-11-30T12:00:00Z"));

    assertThat(paid.toOutboxEvent(json).payload())
        .isEqualTo(
            "{\"eventId\":\"019ad0d2-0000-7000-8000-000000000001\","
                + "\"orderId\":\"019ad0d2-0000-7000-8000-000000000001\","
                + "\"customerEmail\":\"o'b\\\"rien+😀é@exämple.com\","
                + "\"totalAmount\":9007199254740991,\"currency\":\"IDR\","
                + "\"paidAt\":\"2026-11-30T12:00:00Z\"}");
  }

  @Test
  void travelsAsACloudEvent() {
    OrderPaid paid = paid("ani@example.com", Instant.parse("2026-11-30T12:00:00Z"));

    OutboxEvent event = paid.toOutboxEvent(json);

    assertThat(event.id()).isEqualTo(paid.eventId());
    assertThat(event.aggregateId()).isEqualTo(paid.orderId().toString());
    assertThat(event.type()).isEqualTo("OrderPaid");
    assertThat(event.headers())
        .containsEntry("ce_specversion", "1.0")
        .containsEntry("ce_id", paid.eventId().toString())
        .containsEntry("ce_type", "id.kabar.OrderPaid.v1")
        .containsEntry("ce_source", "/order-service")
        .containsEntry("ce_subject", paid.orderId().toString())
        .containsEntry("ce_time", "2026-11-30T12:00:00Z")
        .containsEntry("content-type", "application/json")
        .hasSize(7);
  }

  private static OrderPaid paid(String email, Instant paidAt) {
    return new OrderPaid(
        UUID.randomUUID(), UUID.randomUUID(), new EmailAddress(email), 15_000, "IDR", paidAt);
  }

  private static Schema schema() throws IOException {
    return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
        .getSchema(Files.readString(SCHEMA), InputFormat.JSON);
  }
}
