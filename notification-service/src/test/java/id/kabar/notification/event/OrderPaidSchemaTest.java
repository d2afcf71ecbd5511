package id.kabar.notification.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reader and schema agree: the producer's tests check the same document from the other side. */
class OrderPaidSchemaTest {

  private static final String EVENT =
      """
      {"eventId":"01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01","orderId":"01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02",\
      "customerEmail":"budi@example.com","totalAmount":150000,"currency":"IDR","paidAt":"2026-11-30T10:15:30Z"}""";

  private final Schema schema = schema();
  private final OrderPaidReader reader = new OrderPaidReader();

  @ParameterizedTest
  @ValueSource(
      strings = {EVENT, "with unknown field", "smallest amount", "largest amount", "nanoseconds"})
  void whatTheSchemaAllowsIsRead(String example) {
    String event =
        switch (example) {
          case "with unknown field" -> EVENT.replace("{", "{\"later\":true,");
          case "smallest amount" -> EVENT.replace("150000", "1");
          case "largest amount" -> EVENT.replace("150000", "9007199254740991");
          case "nanoseconds" -> EVENT.replace("30Z", "30.123456789Z");
          default -> EVENT;
        };
    assertThat(schema.validate(event, InputFormat.JSON)).isEmpty();
    assertThat(reader.read("id.kabar.OrderPaid.v1", event.getBytes(UTF_8))).isNotNull();
  }

  @Test
  void whatTheSchemaForbidsIsRefused() {
    for (String field :
        new String[] {"eventId", "orderId", "customerEmail", "totalAmount", "currency", "paidAt"}) {
      refusedByBoth(EVENT.replace("\"" + field + "\"", "\"other\""));
    }
    refusedByBoth(EVENT.replace("150000", "0"));
    refusedByBoth(EVENT.replace("150000", "1.5"));
    refusedByBoth(EVENT.replace("150000", "9007199254740992"));
    refusedByBoth(EVENT.replace("IDR", "idr"));
    refusedByBoth(EVENT.replace("30Z", "30+07:00"));
    refusedByBoth(EVENT.replace("budi@", "budi "));
    refusedByBoth(EVENT.replace("budi@", "a@b.id,budi@"));
    refusedByBoth(EVENT.replace("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01", "1"));
  }

  private void refusedByBoth(String event) {
    assertThat(schema.validate(event, InputFormat.JSON)).as(event).isNotEmpty();
    assertThatExceptionOfType(UnreadableRecord.class)
        .as(event)
        .isThrownBy(() -> reader.read("id.kabar.OrderPaid.v1", event.getBytes(UTF_8)));
  }

  private static Schema schema() {
    try {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Files.readString(Path.of("../docs/events/order-paid.v1.json")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
