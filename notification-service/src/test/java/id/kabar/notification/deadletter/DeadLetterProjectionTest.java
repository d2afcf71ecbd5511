package id.kabar.notification.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.ledger.Cause;
import id.kabar.notification.ledger.Letter;
import id.kabar.notification.ledger.NewLetter;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.support.KafkaHeaders;
import tools.jackson.databind.json.JsonMapper;

/** Whatever lies in the dead-letter topic becomes a letter the database can hold. */
class DeadLetterProjectionTest {

  private static final Instant WRITTEN = Instant.parse("2026-11-30T10:00:00Z");
  private static final UUID EVENT = UUID.fromString("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e01");
  private static final UUID ORDER = UUID.fromString("01939c5a-7a3e-7c11-8a52-3f1d2b6c9e02");

  private final DeadLetterProjection projection =
      new DeadLetterProjection(null, JsonMapper.shared(), Clock.fixed(WRITTEN, ZoneOffset.UTC));
  private final Headers headers = new RecordHeaders();

  @Test
  void aDeadLetterTellsItsStory() {
    Instant first = Instant.parse("2026-11-30T09:00:00.123456Z");
    Instant last = Instant.parse("2026-11-30T09:01:00.654321Z");
    headers.add("ce_id", EVENT.toString().getBytes(UTF_8));
    DeadLetterHeaders.write(
        headers, new Failure(Cause.REJECTED, "rejected with 422", EVENT, ORDER, 3, first, last));
    givenOrigin("order.paid", 2, 17, WRITTEN.toEpochMilli());

    NewLetter letter = letter("key", "{}");

    assertThat(letter.reference()).isEqualTo("event:" + EVENT);
    assertThat(letter.eventId()).isEqualTo(EVENT);
    assertThat(letter.orderId()).isEqualTo(ORDER);
    assertThat(letter.cause()).isEqualTo(Cause.REJECTED);
    assertThat(letter.detail()).isEqualTo("rejected with 422");
    assertThat(letter.attempts()).isEqualTo(3);
    assertThat(letter.firstFailedAt()).isEqualTo(first);
    assertThat(letter.lastFailedAt()).isEqualTo(last);
    assertThat(letter.origin()).isEqualTo(new Letter.Origin("order.paid", 2, 17, WRITTEN));
    assertThat(letter.content().headers()).isEqualTo("[[\"ce_id\",\"%s\"]]".formatted(base64()));
  }

  @Test
  void whatCouldNotBeReadIsKnownByItsRecord() {
    givenOrigin("order.paid", 2, 17, 1_700_000_000_000L);
    assertThat(letter(ORDER.toString(), "poison").reference())
        .isEqualTo("record:order.paid-2@17/1700000000000");
    assertThat(letter(ORDER.toString(), "poison").orderId()).isEqualTo(ORDER);
  }

  @Test
  void aReplayFindsItsLetterAgain() {
    DeadLetterHeaders.put(headers, DeadLetterHeaders.REFERENCE, "record:order.paid-2@17/1");
    givenOrigin("order.paid", 2, 99, 1_700_000_000_000L);
    assertThat(letter("key", "poison").reference()).isEqualTo("record:order.paid-2@17/1");
  }

  @Test
  void aRecordNobodyOfUsWroteIsALetterToo() {
    NewLetter letter = letter(null, null);
    assertThat(letter.cause()).isEqualTo(Cause.UNEXPECTED);
    assertThat(letter.origin()).isNull();
    assertThat(letter.reference()).isEqualTo("record:order.paid.DLT-1@5/" + WRITTEN.toEpochMilli());
    assertThat(letter.lastFailedAt()).isEqualTo(WRITTEN);
  }

  @Test
  void nonsenseInHeadersDoesNotReachTheDatabase() {
    DeadLetterHeaders.put(headers, DeadLetterHeaders.CAUSE, "NEW_KIND_OF_CAUSE");
    DeadLetterHeaders.put(headers, DeadLetterHeaders.DETAIL, "a\u0000b\n" + "x".repeat(10_000));
    DeadLetterHeaders.put(headers, DeadLetterHeaders.EVENT_ID, "1-2");
    DeadLetterHeaders.put(headers, DeadLetterHeaders.ATTEMPTS, "-7");
    DeadLetterHeaders.put(headers, DeadLetterHeaders.FIRST_FAILED_AT, "+999999999-12-31T23:59:59Z");
    DeadLetterHeaders.put(headers, DeadLetterHeaders.LAST_FAILED_AT, "yesterday");
    headers.add(KafkaHeaders.DLT_ORIGINAL_TOPIC, "order.paid".getBytes(UTF_8));
    headers.add(KafkaHeaders.DLT_ORIGINAL_PARTITION, new byte[] {1});
    headers.add("nothing", null);
    headers.add("strange\u0000name", new byte[] {0});

    NewLetter letter = letter("key", "{}");

    assertThat(letter.cause()).isEqualTo(Cause.UNEXPECTED);
    assertThat(letter.detail()).hasSize(500).startsWith("a b x");
    assertThat(letter.eventId()).isNull();
    assertThat(letter.attempts()).isEqualTo(1);
    assertThat(letter.firstFailedAt()).isEqualTo(WRITTEN);
    assertThat(letter.lastFailedAt()).isEqualTo(WRITTEN);
    assertThat(letter.origin()).isNull();
    assertThat(letter.content().headers())
        .isEqualTo("[[\"nothing\",\"\"],[\"strange\\u0000name\",\"AA==\"]]");
  }

  private static String base64() {
    return Base64.getEncoder().encodeToString(EVENT.toString().getBytes(UTF_8));
  }

  private void givenOrigin(String topic, int partition, long offset, long at) {
    headers.add(KafkaHeaders.DLT_ORIGINAL_TOPIC, topic.getBytes(UTF_8));
    headers.add(
        KafkaHeaders.DLT_ORIGINAL_PARTITION, ByteBuffer.allocate(4).putInt(partition).array());
    headers.add(KafkaHeaders.DLT_ORIGINAL_OFFSET, ByteBuffer.allocate(8).putLong(offset).array());
    headers.add(KafkaHeaders.DLT_ORIGINAL_TIMESTAMP, ByteBuffer.allocate(8).putLong(at).array());
  }

  private NewLetter letter(String key, String value) {
    return projection.letterIn(
        new ConsumerRecord<>(
            "order.paid.DLT",
            1,
            5,
            WRITTEN.toEpochMilli(),
            TimestampType.CREATE_TIME,
            0,
            0,
            key == null ? null : key.getBytes(UTF_8),
            value == null ? null : value.getBytes(UTF_8),
            headers,
            Optional.empty()));
  }
}
