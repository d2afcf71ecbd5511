package id.kabar.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.function.Function;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Turns an event into a record: its topic by its type, its aggregate as key, its payload as it is.
 * Headers follow CloudEvents' Kafka binding; what the writer gave is copied, what it left out is
 * filled in.
 */
final class EventRecords {

  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] SPEC_VERSION = "1.0".getBytes(UTF_8);
  private static final byte[] CONTENT_TYPE = "application/json".getBytes(UTF_8);

  /** What a record adds to its key, value and headers at the very least, as a batch of its own. */
  private static final long LEAST_OVERHEAD = 61 + 7;

  private final RelaySettings settings;
  private final Function<String, Topics.@Nullable Topic> topics;
  private final boolean compressed;

  /**
   * @param topics what is known of a topic; null when nothing is
   * @param compressed whether a batch may be smaller than what is in it
   */
  EventRecords(
      RelaySettings settings, Function<String, Topics.@Nullable Topic> topics, boolean compressed) {
    this.settings = settings;
    this.topics = topics;
    this.compressed = compressed;
  }

  ProducerRecord<byte[], byte[]> record(Event event) throws UnfitEvent {
    String topic = topic(event);
    byte[] key = event.aggregateId().getBytes(UTF_8);
    Headers headers = headers(event);
    refuseOversize(event, topic, key, headers);
    return new ProducerRecord<>(topic, null, null, key, event.payload(), headers);
  }

  private String topic(Event event) throws UnfitEvent {
    String topic = settings.topicOf(event.eventType());
    if (topic == null) {
      throw new UnfitEvent(
          Failure.park(
              "No route for event type %s: set relay.routes.%s to its topic, then retry this event"
                  .formatted(event.eventType(), event.eventType())));
    }
    Topics.Topic known = topics.apply(topic);
    if (known != null && known.failure() != null) {
      throw new UnfitEvent(known.failure());
    }
    return topic;
  }

  private static Headers headers(Event event) throws UnfitEvent {
    RecordHeaders headers = new RecordHeaders();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), event.headers())) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw notFlat(null);
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        if (json.nextToken() != JsonToken.VALUE_STRING) {
          throw notFlat(name);
        }
        headers.add(name, json.getString().getBytes(UTF_8));
      }
    } catch (JacksonException e) {
      throw notFlat(null);
    }
    fill(headers, "ce_specversion", SPEC_VERSION);
    fill(headers, "ce_id", event.id().toString());
    fill(headers, "ce_type", event.eventType());
    fill(headers, "ce_source", "/" + event.aggregateType());
    fill(headers, "ce_subject", event.aggregateId());
    if (headers.lastHeader("ce_time") == null) {
      fill(headers, "ce_time", event.createdAt().toString());
    }
    fill(headers, "content-type", CONTENT_TYPE);
    return headers;
  }

  private static void fill(Headers headers, String name, String value) {
    if (headers.lastHeader(name) == null) {
      headers.add(name, value.getBytes(UTF_8));
    }
  }

  private static void fill(Headers headers, String name, byte[] value) {
    if (headers.lastHeader(name) == null) {
      headers.add(name, value);
    }
  }

  private static UnfitEvent notFlat(@Nullable String name) {
    return new UnfitEvent(
        Failure.park(
            name == null
                ? "headers is not a JSON object"
                : "headers must be a flat JSON object of texts, but \"%s\" is something else"
                    .formatted(name)));
  }

  /**
   * A record that its topic cannot take is found before any later event of its aggregate is sent.
   * In doubt it is let through: the broker's word is final, see {@link Publisher}.
   */
  private void refuseOversize(Event event, String topic, byte[] key, Headers headers)
      throws UnfitEvent {
    Topics.Topic known = topics.apply(topic);
    if (known == null || compressed) {
      return;
    }
    long least = LEAST_OVERHEAD + key.length + event.payload().length;
    for (Header header : headers) {
      least += header.key().length() + header.value().length + 2;
    }
    if (least > known.maxMessageBytes()) {
      throw new UnfitEvent(
          Failure.park(
              "Too large: %d bytes, topic %s takes %d (its max.message.bytes)"
                  .formatted(least, topic, known.maxMessageBytes())));
    }
  }
}
