package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** What an outage of the provider has left is sent by itself; everything else waits for people. */
@DirtiesContext
@TestPropertySource(
    properties = {
      "notification.redrive.enabled=true",
      "notification.outage.hold=1s",
      "notification.redrive.rounds=2",
      "notification.redrive.rate=10",
      "notification.redrive.pause=200ms",
      "notification.redrive.probe-pause=100ms",
      "notification.redrive.look-every=200ms",
      "notification.redrive.report-every=100ms",
      "notification.listener.redeliveries=1",
      "resilience4j.retry.instances.email.max-attempts=1",
      "resilience4j.circuitbreaker.instances.email.sliding-window-size=20",
      "resilience4j.circuitbreaker.instances.email.minimum-number-of-calls=6",
      "resilience4j.circuitbreaker.instances.email.wait-duration-in-open-state=1s",
      "resilience4j.circuitbreaker.instances.email.permitted-number-of-calls-in-half-open-state=1"
    })
class RedriveIT extends OperatedService {

  @Test
  void whatAnOutageHasLeftIsSentOnceTheProviderIsBack() {
    List<UUID> events = strandedBy(503, 30);
    PROVIDER.reset();
    events.forEach(event -> awaitLetter(event, "RESOLVED PROVIDER_UNAVAILABLE"));
    assertThat(events).allSatisfy(event -> assertThat(stateOf(event)).isEqualTo("SENT"));
    assertThat(events).allSatisfy(event -> assertThat(PROVIDER.callsFor(event)).isEqualTo(1));
    assertThat(operator().get("/dead-letters/jobs").body())
        .contains("\"kind\":\"REDRIVE\"", "left by an outage of the provider");
    assertThat(redrivesOnRecord()).isPositive();
    // 29 pauses of 100 ms, of which a slow moment may make up for a second
    assertThat(replayedWithin(events)).isGreaterThan(Duration.ofMillis(1_800));
  }

  @Test
  void whatWasThereBeforeAnybodyLookedIsSentToo() {
    breakers.circuitBreaker("email").transitionToForcedOpenState();
    List<UUID> events = paid(5);
    events.forEach(event -> awaitLetter(event, "OPEN PROVIDER_UNAVAILABLE"));
    assertThat(PROVIDER.calls()).isZero();
    assertThat(events).allSatisfy(event -> assertThat(redrivesOf(event)).isZero());
    breakers.circuitBreaker("email").reset();
    events.forEach(event -> awaitLetter(event, "RESOLVED PROVIDER_UNAVAILABLE"));
  }

  @Test
  void otherCausesWaitForAPerson() {
    UUID rejected = rejected(1).getFirst();
    UUID stranded = strandedBy(503, 1).getFirst();
    PROVIDER.reset();
    awaitLetter(stranded, "RESOLVED PROVIDER_UNAVAILABLE");
    assertThat(letterOf(rejected)).isEqualTo("OPEN REJECTED");
    assertThat(PROVIDER.callsFor(rejected)).isZero();
  }

  @Test
  void anEmailThatFailsInEveryRoundIsLeftToPeople() {
    healthy(10); // the provider is trusted, and stays so
    UUID bad = UUID.randomUUID();
    PROVIDER.answersFor(bad, 503);
    records().paid(bad, UUID.randomUUID());
    eventually()
        .until(() -> redrivesOf(bad) == 2 && letterOf(bad).equals("OPEN PROVIDER_UNAVAILABLE"));
    int calls = PROVIDER.callsFor(bad);
    healthy(3);
    assertThat(PROVIDER.callsFor(bad)).isEqualTo(calls);
    assertThat(
            operator()
                .get("/dead-letters/" + idOf(bad))
                .json()
                .get("letter")
                .get("redrivesItself")
                .booleanValue())
        .isFalse();
    assertThat(breakers.circuitBreaker("email").getState()).isEqualTo(State.CLOSED);
  }

  @Test
  void anOutageCostsNoLetterItsRounds() {
    PROVIDER.answers(503);
    breakers.circuitBreaker("email").transitionToOpenState();
    List<UUID> events = paid(2);
    // the provider is probed again and again, with letters that come back each time
    eventually().until(() -> PROVIDER.calls() > 8);
    assertThat(events).allSatisfy(event -> assertThat(redrivesOf(event)).isZero());
    PROVIDER.reset();
    events.forEach(event -> awaitLetter(event, "RESOLVED PROVIDER_UNAVAILABLE"));
  }

  private List<UUID> strandedBy(int status, int count) {
    PROVIDER.answers(status);
    List<UUID> events = paid(count);
    eventually()
        .until(
            () ->
                events.stream()
                    .allMatch(event -> letterOf(event).endsWith("PROVIDER_UNAVAILABLE")));
    return events;
  }

  private void healthy(int count) {
    paid(count).forEach(this::awaitSent);
  }

  private List<UUID> paid(int count) {
    return IntStream.range(0, count).mapToObj(i -> records().paid()).toList();
  }

  private int redrivesOnRecord() {
    return jdbc.sql(
            """
            select count(*) from dead_letter_audit
            where action = 'REDRIVE' and operator = 'notification-service' and job_id is not null
            """)
        .query(Integer.class)
        .single();
  }

  private Duration replayedWithin(List<UUID> events) {
    return Duration.ofMillis(
        jdbc.sql(
                """
                select (extract(epoch from max(replayed_at) - min(replayed_at)) * 1000)::bigint
                from dead_letter
                where event_id in (:events)
                """)
            .param("events", events)
            .query(Long.class)
            .single());
  }

  private int redrivesOf(UUID event) {
    return jdbc.sql("select redrives from dead_letter where event_id = ?")
        .param(event)
        .query(Integer.class)
        .optional()
        .orElse(-1);
  }
}
