package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.http.Fault;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What happens to an event between its topic and the provider. */
@ExtendWith(OutputCaptureExtension.class)
class DeliveryIT extends RunningService {

  @Autowired MeterRegistry meters;

  @Test
  void aPaidOrderIsOneEmail() {
    UUID event = records().paid();
    awaitSent(event);
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
    assertThat(PROVIDER.callsOf(event).getFirst().getBodyAsString())
        .contains(OrderPaidRecords.ADDRESS, "Rp 150.000");
    assertThat(
            jdbc.sql("select provider_message_id from processed_event where event_id = :event")
                .param("event", event)
                .query(String.class)
                .single())
        .isEqualTo("message-" + event);
  }

  @Test
  void anEventThatComesTenTimesIsOneEmail() {
    double duplicates = meters.counter("notification.duplicates").count();
    UUID event = UUID.randomUUID();
    UUID order = UUID.randomUUID();
    for (int i = 0; i < 10; i++) {
      records().paid(event, order);
    }
    eventually().until(() -> meters.counter("notification.duplicates").count() >= duplicates + 9);
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
  }

  @Test
  void aRejectedEmailIsDeadLetteredAfterOneCall() {
    PROVIDER.answers(422);
    UUID event = records().paid();
    awaitLetter(event, "OPEN REJECTED");
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
  }

  @Test
  void refusedCredentialsAreDeadLetteredAfterOneCall() {
    PROVIDER.answers(401);
    UUID event = records().paid();
    awaitLetter(event, "OPEN CREDENTIALS_REFUSED");
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
  }

  @Test
  void anUnavailableProviderIsCalledFiveTimesThreeTimesThenTheEventIsDeadLettered() {
    PROVIDER.answers(503);
    UUID event = records().paid();
    awaitLetter(event, "OPEN PROVIDER_UNAVAILABLE");
    assertThat(PROVIDER.callsFor(event)).isEqualTo(15);
    assertThat(deadLetterOf(event).stream()).hasSize(1);
  }

  @Test
  void differentFailuresDoNotResetEachOthersCount() {
    UUID event = UUID.randomUUID();
    PROVIDER.answersInTurn(500, 409); // unavailable and in flight: two kinds
    records().paid(event, UUID.randomUUID());
    awaitLetter(event, "OPEN PROVIDER_UNAVAILABLE");
    assertThat(attemptsOf(event)).isEqualTo(5);
  }

  @Test
  void aFailureForGoodEndsTheRedeliveriesAtOnce() {
    PROVIDER.answers(409);
    UUID event = records().paid();
    eventually().until(() -> PROVIDER.callsFor(event) >= 1);
    PROVIDER.answers(422);
    awaitLetter(event, "OPEN REJECTED");
    long rejections = PROVIDER.callsFor(event);
    assertThat(rejections).isLessThanOrEqualTo(5);
    assertThat(attemptsOf(event)).isEqualTo((int) rejections);
  }

  @Test
  void whatIsTooSlowOrBrokenIsNeverTakenAsSent() {
    PROVIDER.fails(Fault.MALFORMED_RESPONSE_CHUNK);
    UUID broken = records().paid();
    awaitLetter(broken, "OPEN PROVIDER_UNAVAILABLE");
    PROVIDER.answers(202, "");
    UUID empty = records().paid();
    awaitLetter(empty, "OPEN PROVIDER_UNAVAILABLE");
    assertThat(List.of(stateOf(broken), stateOf(empty))).containsOnly("UNSENT");
  }

  @Test
  void aProviderThatRecoversInTimeLeavesNoLetter() {
    PROVIDER.answers(503);
    UUID event = records().paid();
    eventually().until(() -> PROVIDER.callsFor(event) >= 4);
    PROVIDER.accepts();
    awaitSent(event);
    assertThat(letterOf(event)).isEqualTo("NONE");
  }

  @Test
  void oneBadMessageDoesNotHoldUpTheOthers() {
    UUID bad = UUID.randomUUID();
    PROVIDER.answersFor(bad, 422);
    records().paid(bad, UUID.randomUUID());
    List<UUID> good = IntStream.range(0, 20).mapToObj(i -> records().paid()).toList();
    good.forEach(this::awaitSent);
    awaitLetter(bad, "OPEN REJECTED");
  }

  @Test
  void poisonIsDeadLetteredOnceWithItsCauseAndTheNextRecordIsProcessed() {
    String fine = OrderPaidRecords.json(UUID.randomUUID(), UUID.randomUUID());
    String type = "id.kabar.OrderPaid.v1";
    List<String> keys = Stream.generate(() -> UUID.randomUUID().toString()).limit(9).toList();
    records().value(0, keys.get(0), "not json " + OrderPaidRecords.ADDRESS, type);
    records().value(0, keys.get(1), "", type);
    records().value(0, keys.get(2), null, type);
    records().value(0, keys.get(3), fine.replace("15000000", "\"much\""), type);
    records().value(0, keys.get(4), fine.replace("customerEmail", "email"), type);
    records().value(0, keys.get(5), fine, "id.kabar.OrderPaid.v2");
    records().value(0, keys.get(6), fine, null);
    records().value(0, keys.get(7), "\"" + "x".repeat(999_998) + "\"", type);
    records().value(0, keys.get(8), "[".repeat(50_000), type);
    UUID next = UUID.randomUUID();
    records().value(0, "next", OrderPaidRecords.json(next, UUID.randomUUID()), type);

    awaitSent(next);
    for (String key : keys) {
      eventually().until(() -> lettersOfOrder(key), List.of("OPEN POISON")::equals);
      List<ConsumerRecord<byte[], byte[]>> dead = deadLettersWithKey(key);
      assertThat(dead).hasSize(1);
      assertThat(dead.getFirst().partition()).isEqualTo(0);
      assertThat(header(dead.getFirst(), "dead-letter-cause")).isEqualTo("POISON");
    }
    assertThat(PROVIDER.calls()).isEqualTo(1);
  }

  @Test
  void aDeadLetterTellsItsCauseAndOriginAndNoStackTrace() {
    PROVIDER.answers(400);
    UUID event = records().paid();
    awaitLetter(event, "OPEN REJECTED");

    ConsumerRecord<byte[], byte[]> original = originalOf(event);
    ConsumerRecord<byte[], byte[]> dead = deadLetterOf(event).getFirst();
    assertThat(dead.key()).isEqualTo(original.key());
    assertThat(dead.value()).isEqualTo(original.value());
    assertThat(dead.partition()).isEqualTo(original.partition());
    assertThat(header(dead, "dead-letter-cause")).isEqualTo("REJECTED");
    assertThat(header(dead, "dead-letter-detail")).isEqualTo("rejected with 400");
    assertThat(header(dead, "dead-letter-attempts")).isEqualTo("1");
    assertThat(header(dead, "dead-letter-first-failed-at")).endsWith("Z");
    assertThat(header(dead, "dead-letter-last-failed-at")).endsWith("Z");
    assertThat(header(dead, "kafka_dlt-original-topic")).isEqualTo(topics.orderPaid());
    assertThat(
            ByteBuffer.wrap(dead.headers().lastHeader("kafka_dlt-original-offset").value())
                .getLong())
        .isEqualTo(original.offset());
    assertThat(header(dead, "ce_type")).isEqualTo("id.kabar.OrderPaid.v1");
    for (Header header : dead.headers()) {
      assertThat(header.key()).doesNotContain("stacktrace", "exception");
      assertThat(new String(header.value(), UTF_8))
          .doesNotContain("at id.kabar", "\tat ", OrderPaidRecords.ADDRESS);
    }
  }

  @Test
  void aDeadOwnersClaimIsTakenOverWhenItHasExpired() {
    UUID event = UUID.randomUUID();
    givenAClaimOf(event, "dead-host:1/token", Duration.ofSeconds(2));
    records().paid(event, UUID.randomUUID());

    assertThat(PROVIDER.callsFor(event)).isZero();
    awaitSent(event);
    assertThat(PROVIDER.callsFor(event)).isEqualTo(1);
    assertThat(letterOf(event)).isEqualTo("NONE");
  }

  @Test
  void anAttemptOfUnknownOutcomeIsRepeatedWithinTheKeyWindowAndNeverAfterIt() {
    UUID within = UUID.randomUUID();
    UUID after = UUID.randomUUID();
    givenAnAttemptOfUnknownOutcome(within, Duration.ofHours(23));
    givenAnAttemptOfUnknownOutcome(after, Duration.ofHours(24));
    records().paid(within, UUID.randomUUID());
    records().paid(after, UUID.randomUUID());

    awaitSent(within);
    awaitLetter(after, "OPEN OUTCOME_UNKNOWN");
    assertThat(PROVIDER.callsFor(after)).isZero();
  }

  @Test
  void aKnownRefusalLeavesNoUnknownOutcomeBehind() {
    PROVIDER.answers(422);
    UUID refused = records().paid();
    awaitLetter(refused, "OPEN REJECTED");
    PROVIDER.answers(503);
    UUID unknown = records().paid();
    awaitLetter(unknown, "OPEN PROVIDER_UNAVAILABLE");

    assertThat(outcomeUnknown(refused)).isFalse();
    assertThat(outcomeUnknown(unknown)).isTrue();
  }

  @Test
  void noTransactionIsOpenWhileTheProviderIsSlow() {
    PROVIDER.acceptsAfter(Duration.ofMillis(800));
    List<UUID> events = IntStream.range(0, 12).mapToObj(i -> records().paid()).toList();
    eventually().until(() -> PROVIDER.calls() >= 3);
    while (PROVIDER.calls() < 12) {
      assertThat(
              jdbc.sql(
                      """
                      select count(*) from pg_stat_activity
                      where datname = current_database() and state like 'idle in transaction%'
                      """)
                  .query(Integer.class)
                  .single())
          .isZero();
    }
    events.forEach(this::awaitSent);
  }

  @Test
  void noAddressIsEverInTheOutput(CapturedOutput output) {
    PROVIDER.answers(422);
    UUID rejected = records().paid();
    awaitLetter(rejected, "OPEN REJECTED");
    PROVIDER.answers(503);
    UUID unavailable = records().paid();
    awaitLetter(unavailable, "OPEN PROVIDER_UNAVAILABLE");
    records().value(0, "key", "not json " + OrderPaidRecords.ADDRESS, "id.kabar.OrderPaid.v1");
    PROVIDER.accepts();
    awaitSent(records().paid());

    assertThat(output.getAll()).contains("Dead-lettered").doesNotContain(OrderPaidRecords.ADDRESS);
  }

  @Test
  void theProvidersCallBelongsToTheTraceOfThePayment() {
    UUID event = UUID.randomUUID();
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    records().paidInTrace(event, "00-" + trace + "-00f067aa0ba902b7-01");
    awaitSent(event);
    assertThat(PROVIDER.callsOf(event).getFirst().getHeader("traceparent")).contains(trace);
  }

  private void givenAClaimOf(UUID event, String owner, Duration remaining) {
    jdbc.sql(
            """
            insert into processed_event
                (event_id, order_id, state, owner, claim_expires_at, attempts, unknown_since)
            values (:event, :event, 'SENDING', :owner, now() + cast(:remaining as interval), 1, now())
            """)
        .param("event", event)
        .param("owner", owner)
        .param("remaining", remaining.toMillis() + " milliseconds")
        .update();
  }

  private void givenAnAttemptOfUnknownOutcome(UUID event, Duration ago) {
    jdbc.sql(
            """
            insert into processed_event (event_id, order_id, state, attempts, unknown_since)
            values (:event, :event, 'UNSENT', 1, now() - cast(:ago as interval))
            """)
        .param("event", event)
        .param("ago", ago.toMillis() + " milliseconds")
        .update();
  }

  private boolean outcomeUnknown(UUID event) {
    return jdbc.sql("select unknown_since is not null from processed_event where event_id = ?")
        .param(event)
        .query(Boolean.class)
        .single();
  }

  private int attemptsOf(UUID event) {
    return jdbc.sql("select attempts from processed_event where event_id = :event")
        .param("event", event)
        .query(Integer.class)
        .single();
  }

  private List<String> lettersOfOrder(String order) {
    return jdbc.sql("select state || ' ' || cause from dead_letter where order_id = :order")
        .param("order", UUID.fromString(order))
        .query(String.class)
        .list();
  }

  private ConsumerRecord<byte[], byte[]> originalOf(UUID event) {
    return records().all().stream()
        .filter(record -> holds(record, event))
        .findFirst()
        .orElseThrow();
  }

  private List<ConsumerRecord<byte[], byte[]>> deadLetterOf(UUID event) {
    return OrderPaidRecords.to(topics.deadLetters()).all().stream()
        .filter(record -> holds(record, event))
        .toList();
  }

  private List<ConsumerRecord<byte[], byte[]>> deadLettersWithKey(String key) {
    return OrderPaidRecords.to(topics.deadLetters()).all().stream()
        .filter(record -> Arrays.equals(record.key(), key.getBytes(UTF_8)))
        .toList();
  }

  private static boolean holds(ConsumerRecord<byte[], byte[]> record, UUID event) {
    return record.value() != null && new String(record.value(), UTF_8).contains(event.toString());
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
