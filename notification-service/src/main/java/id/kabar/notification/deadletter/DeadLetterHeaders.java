package id.kabar.notification.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers by which a dead letter tells its story. Where it came from is told in Spring Kafka's
 * own headers ({@code kafka_dlt-original-*}), the rest in these, as text. There is no stack trace:
 * it would leak what the record holds, and grow with every round.
 */
final class DeadLetterHeaders {

  private static final String PREFIX = "dead-letter-";
  private static final String SPRING_PREFIX = "kafka_dlt-";

  static final String CAUSE = PREFIX + "cause";
  static final String DETAIL = PREFIX + "detail";
  static final String EVENT_ID = PREFIX + "event-id";
  static final String ORDER_ID = PREFIX + "order-id";
  static final String ATTEMPTS = PREFIX + "attempts";
  static final String FIRST_FAILED_AT = PREFIX + "first-failed-at";
  static final String LAST_FAILED_AT = PREFIX + "last-failed-at";

  /** On a replayed record: the letter it comes from, so that a further failure finds its letter. */
  static final String REFERENCE = PREFIX + "reference";

  private DeadLetterHeaders() {}

  static void write(Headers headers, Failure failure) {
    put(headers, CAUSE, failure.cause().name());
    put(headers, DETAIL, failure.detail());
    put(headers, EVENT_ID, failure.eventId());
    put(headers, ORDER_ID, failure.orderId());
    put(headers, ATTEMPTS, failure.attempts());
    put(headers, FIRST_FAILED_AT, failure.firstFailedAt());
    put(headers, LAST_FAILED_AT, failure.lastFailedAt());
  }

  static void put(Headers headers, String name, @Nullable Object value) {
    headers.remove(name);
    if (value != null) {
      headers.add(name, value.toString().getBytes(UTF_8));
    }
  }

  /** Whether a header belongs to the original record. */
  static boolean isOriginal(Header header) {
    return !header.key().startsWith(PREFIX) && !header.key().startsWith(SPRING_PREFIX);
  }

  /** Returns a header as one line of text, fit for the database; null if it is absent or empty. */
  static @Nullable String text(Headers headers, String name, int longest) {
    byte[] value = value(headers, name);
    if (value == null) {
      return null;
    }
    String text = new String(value, UTF_8).replaceAll("\\p{Cntrl}", " ").strip();
    if (text.isEmpty()) {
      return null;
    }
    return text.length() <= longest ? text : text.substring(0, longest);
  }

  static @Nullable UUID uuid(@Nullable String text) {
    try {
      return text == null ? null : UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static int number(Headers headers, String name, int otherwise) {
    String text = text(headers, name, 20);
    return text != null && text.matches("\\d{1,9}") ? Integer.parseInt(text) : otherwise;
  }

  /** Returns a time the database can hold. */
  static Instant time(Headers headers, String name, Instant otherwise) {
    String text = text(headers, name, 40);
    // four digits of a year; beyond that a time is not one of ours
    if (text == null || !text.matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z")) {
      return otherwise;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return otherwise;
    }
  }

  static @Nullable Long binaryLong(Headers headers, String name) {
    byte[] value = value(headers, name);
    return value == null || value.length != Long.BYTES ? null : ByteBuffer.wrap(value).getLong();
  }

  static @Nullable Integer binaryInt(Headers headers, String name) {
    byte[] value = value(headers, name);
    return value == null || value.length != Integer.BYTES ? null : ByteBuffer.wrap(value).getInt();
  }

  private static byte @Nullable [] value(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null ? null : header.value();
  }
}
