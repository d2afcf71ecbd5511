package id.kabar.outgrow;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * Gives a record the headers that the outbox relay would have given it: each entry of the column
 * {@code headers}, and what CloudEvents' Kafka binding asks for and the writer left out. To be
 * placed behind Debezium's event router, which hands over the columns as headers named {@code
 * outbox.…}; those go.
 *
 * @param <R> as Connect demands
 */
public final class OutboxHeaders<R extends ConnectRecord<R>> implements Transformation<R> {

  private static final JsonFactory JSON = new JsonFactory();

  @Override
  public R apply(R record) {
    Headers given = record.headers();
    if (given.lastWithName("outbox.headers") == null) {
      return record; // a heartbeat, say
    }
    Headers headers = new ConnectHeaders();
    copy(text(given, "outbox.headers"), headers);
    fill(headers, "ce_specversion", "1.0");
    fill(headers, "ce_id", text(given, "id"));
    fill(headers, "ce_type", text(given, "outbox.event_type"));
    fill(headers, "ce_source", "/" + text(given, "outbox.aggregate_type"));
    fill(headers, "ce_subject", String.valueOf(record.key()));
    fill(headers, "ce_time", Instant.parse(text(given, "outbox.created_at")).toString());
    fill(headers, "content-type", "application/json");
    return record.newRecord(
        record.topic(),
        record.kafkaPartition(),
        record.keySchema(),
        record.key(),
        record.valueSchema(),
        record.value(),
        record.timestamp(),
        headers);
  }

  private static void copy(String json, Headers headers) {
    try (JsonParser parser = JSON.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw notFlat(null);
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
          throw notFlat(null);
        }
        headers.addString(name, parser.getText());
      }
    } catch (IOException e) {
      throw notFlat(e);
    }
  }

  private static DataException notFlat(@Nullable Exception cause) {
    return new DataException(
        "The column headers of outbox_event must hold a flat JSON object of texts", cause);
  }

  private static String text(Headers headers, String name) {
    Header header = headers.lastWithName(name);
    if (header == null || header.value() == null) {
      throw new DataException(
          "No header '%s': give the event router the placements that connector.json has"
              .formatted(name));
    }
    return header.value().toString();
  }

  private static void fill(Headers headers, String name, String value) {
    if (headers.lastWithName(name) == null) {
      headers.addString(name, value);
    }
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public void configure(Map<String, ?> settings) {}

  @Override
  public void close() {}
}
