package id.kabar.notification.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.DeadLetters;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.NewLetter;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the dead-letter topic into the database. Whatever lies in the topic becomes a letter, also
 * what nobody of us put there; only the database can hold it up, and then it comes again.
 */
@Component
class DeadLetterProjection {

  private static final int LONGEST_DETAIL = 500;
  private static final int LONGEST_NAME = 300;

  /** Later than any record of this decade; the database's calendar ends later still. */
  private static final long LATEST_MILLIS = 253_402_300_799_000L;

  private final DeadLetters letters;
  private final JsonMapper json;
  private final Clock clock;

  DeadLetterProjection(DeadLetters letters, JsonMapper json, Clock clock) {
    this.letters = letters;
    this.json = json;
    this.clock = clock;
  }

  @KafkaListener(
      id = "dead-letters",
      clientIdPrefix = "notification-service-dead-letters",
      topics = "${notification.topics.dead-letters:order.paid.DLT}",
      groupId = "${notification.dead-letters.group:notification-service-dead-letters}",
      containerFactory = "deadLetterListeners")
  void on(ConsumerRecord<byte[], byte @Nullable []> record, Acknowledgment offset) {
    letters.take(letterIn(record));
    offset.acknowledge();
  }

  NewLetter letterIn(ConsumerRecord<byte[], byte @Nullable []> record) {
    Headers headers = record.headers();
    Instant writtenAt = time(record.timestamp(), clock.instant());
    UUID eventId =
        DeadLetterHeaders.uuid(DeadLetterHeaders.text(headers, DeadLetterHeaders.EVENT_ID, 36));
    UUID orderId =
        DeadLetterHeaders.uuid(DeadLetterHeaders.text(headers, DeadLetterHeaders.ORDER_ID, 36));
    String detail = DeadLetterHeaders.text(headers, DeadLetterHeaders.DETAIL, LONGEST_DETAIL);
    Letter.Origin origin = origin(headers);
    return new NewLetter(
        reference(record, eventId, origin),
        eventId,
        orderId != null ? orderId : orderIdIn(record.key()),
        cause(headers),
        detail != null ? detail : "no reason given",
        DeadLetterHeaders.number(headers, DeadLetterHeaders.ATTEMPTS, 1),
        DeadLetterHeaders.time(headers, DeadLetterHeaders.FIRST_FAILED_AT, writtenAt),
        DeadLetterHeaders.time(headers, DeadLetterHeaders.LAST_FAILED_AT, writtenAt),
        origin,
        record.partition(),
        record.offset(),
        new Letter.Content(record.key(), record.value(), originalHeaders(headers)));
  }

  /**
   * A replay carries its letter's reference; an event has one letter; else the record is its own.
   */
  private static String reference(
      ConsumerRecord<?, ?> record, @Nullable UUID eventId, Letter.@Nullable Origin origin) {
    String replayed = DeadLetterReference.of(record);
    if (replayed != null) {
      return replayed;
    }
    if (eventId != null) {
      return "event:" + eventId;
    }
    // with the time: a topic made anew counts from zero again
    return origin != null
        ? "record:%s-%d@%d/%d"
            .formatted(
                origin.topic(), origin.partition(), origin.offset(), origin.at().toEpochMilli())
        : "record:%s-%d@%d/%d"
            .formatted(record.topic(), record.partition(), record.offset(), record.timestamp());
  }

  private static Letter.@Nullable Origin origin(Headers headers) {
    String topic = DeadLetterHeaders.text(headers, KafkaHeaders.DLT_ORIGINAL_TOPIC, LONGEST_NAME);
    Integer partition = DeadLetterHeaders.binaryInt(headers, KafkaHeaders.DLT_ORIGINAL_PARTITION);
    Long offset = DeadLetterHeaders.binaryLong(headers, KafkaHeaders.DLT_ORIGINAL_OFFSET);
    Long at = DeadLetterHeaders.binaryLong(headers, KafkaHeaders.DLT_ORIGINAL_TIMESTAMP);
    if (topic == null || partition == null || offset == null || at == null) {
      return null;
    }
    return new Letter.Origin(topic, partition, offset, time(at, Instant.EPOCH));
  }

  private static Cause cause(Headers headers) {
    String name = DeadLetterHeaders.text(headers, DeadLetterHeaders.CAUSE, 40);
    return Arrays.stream(Cause.values())
        .filter(cause -> cause.name().equals(name))
        .findFirst()
        .orElse(Cause.UNEXPECTED);
  }

  private static @Nullable UUID orderIdIn(byte @Nullable [] key) {
    return key == null ? null : DeadLetterHeaders.uuid(new String(key, UTF_8));
  }

  private String originalHeaders(Headers headers) {
    List<List<String>> original =
        Arrays.stream(headers.toArray())
            .filter(DeadLetterHeaders::isOriginal)
            .map(header -> List.of(header.key(), base64(header.value())))
            .toList();
    return json.writeValueAsString(original);
  }

  private static String base64(byte @Nullable [] value) {
    return value == null ? "" : Base64.getEncoder().encodeToString(value);
  }

  private static Instant time(long millis, Instant otherwise) {
    return millis >= 0 && millis <= LATEST_MILLIS ? Instant.ofEpochMilli(millis) : otherwise;
  }
}
