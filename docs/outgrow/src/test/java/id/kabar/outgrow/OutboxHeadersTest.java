package id.kabar.outgrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

class OutboxHeadersTest {

  private final OutboxHeaders<SourceRecord> transformation = new OutboxHeaders<>();

  @Test
  void writersHeadersComeInTheirOrderAndWhatIsMissingIsFilledIn() {
    SourceRecord record =
        routed("{\"traceparent\":\"00-1\",\"ce_type\":\"id.kabar.OrderPaid.v1\"}");

    assertThat(headers(transformation.apply(record)))
        .containsExactly(
            "traceparent=00-1",
            "ce_type=id.kabar.OrderPaid.v1",
            "ce_specversion=1.0",
            "ce_id=event-1",
            "ce_source=/Order",
            "ce_subject=order-1",
            "ce_time=2026-11-30T10:00:00.500Z",
            "content-type=application/json");
  }

  @Test
  void recordThatIsNoEventStaysAsItIs() {
    SourceRecord heartbeat =
        new SourceRecord(Map.of(), Map.of(), "heartbeat", null, null, null, null);

    assertThat(transformation.apply(heartbeat)).isSameAs(heartbeat);
  }

  @Test
  void headersThatAreNotFlatAreRefused() {
    assertThatThrownBy(() -> transformation.apply(routed("{\"a\":1}")))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("flat JSON object of texts");
  }

  private static SourceRecord routed(String json) {
    SourceRecord record =
        new SourceRecord(
            Map.of(),
            Map.of(),
            "OrderPaid",
            null,
            Schema.STRING_SCHEMA,
            "order-1",
            Schema.STRING_SCHEMA,
            "{}");
    record
        .headers()
        .addString("id", "event-1")
        .addString("outbox.headers", json)
        .addString("outbox.event_type", "OrderPaid")
        .addString("outbox.aggregate_type", "Order")
        .addString("outbox.created_at", "2026-11-30T10:00:00.500000Z");
    return record;
  }

  private static List<String> headers(SourceRecord record) {
    List<String> all = new ArrayList<>();
    record.headers().forEach(header -> all.add(header.key() + "=" + header.value()));
    return all;
  }
}
