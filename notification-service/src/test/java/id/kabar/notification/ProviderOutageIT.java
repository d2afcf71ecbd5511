package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.email.ProviderTrust;
import id.kabar.notification.email.Trust;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The provider is down: events wait, visibly and for a bounded time, and nobody hammers it. */
@DirtiesContext
@TestPropertySource(
    properties = {
      "notification.outage.hold=6s",
      "notification.listener.backoff=300ms",
      "resilience4j.circuitbreaker.instances.email.sliding-window-size=20",
      "resilience4j.circuitbreaker.instances.email.minimum-number-of-calls=10",
      "resilience4j.circuitbreaker.instances.email.wait-duration-in-open-state=1s"
    })
class ProviderOutageIT extends RunningService {

  @Autowired MeterRegistry meters;
  @Autowired ProviderTrust trust;
  @Autowired KafkaListenerEndpointRegistry listeners;

  @Test
  void eventsWaitInKafkaWhileTheServiceStaysReadyAndAreSentWhenTheProviderIsBack() {
    PROVIDER.answers(503);
    UUID rejected = UUID.randomUUID();
    PROVIDER.answersFor(rejected, 422);
    records().paid(rejected, UUID.randomUUID());
    List<UUID> events = pay(300);

    eventually().until(() -> paused("outage") == 1);
    eventually().until(() -> listener().isPauseRequested());
    assertThat(new Operator(port, null).get("/actuator/health/readiness").status()).isEqualTo(200);
    assertThat(new Operator(port, "secret").get("/actuator/health").body())
        .contains("OUTAGE since ");
    int calls = PROVIDER.calls();
    assertThat(calls).isLessThan(150);
    PROVIDER.accepts();

    events.forEach(this::awaitSent);
    // one email more or less: whose call was refused with 503 is called for again
    assertThat(PROVIDER.calls()).isLessThanOrEqualTo(calls + events.size() + 10);
    assertThat(openLetters("PROVIDER_UNAVAILABLE", events)).isZero();
    awaitLetter(rejected, "OPEN REJECTED");
    eventually().until(() -> paused("outage") == 0 && !listener().isPauseRequested());
  }

  @Test
  void pastTheHoldEverythingIsDeadLetteredInSecondsWithoutACall() {
    PROVIDER.answers(503);
    List<UUID> events = pay(500);
    eventually().until(() -> trust.now().givingUp());
    long over = System.nanoTime();
    eventually().until(() -> openLetters("PROVIDER_UNAVAILABLE", events) == events.size());
    assertThat(Duration.ofNanos(System.nanoTime() - over)).isLessThan(Duration.ofSeconds(15));
    assertThat(PROVIDER.calls()).isLessThan(150);
    assertThat(paused("outage")).isZero();
    List<UUID> spared =
        events.stream().filter(event -> PROVIDER.callsFor(event) == 0).limit(20).toList();
    assertThat(spared).isNotEmpty();
    assertThat(
            jdbc.sql(
                    "select count(*) from processed_event where event_id in (:events) and"
                        + " unknown_since is null")
                .param("events", spared)
                .query(Integer.class)
                .single())
        .isEqualTo(spared.size());

    PROVIDER.accepts();
    eventually().until(() -> trust.now().gate() == Trust.Gate.PROBE); // until then all is given up
    awaitSent(records().paid());
    eventually().until(() -> trust.now().equals(fullTrust()));
  }

  @Test
  void oneMessageThatAlwaysFailsIsDeadLetteredByItselfWithTheBreakerClosed() {
    UUID bad = UUID.randomUUID();
    PROVIDER.answersFor(bad, 503);
    records().paid(bad, UUID.randomUUID());
    List<UUID> good = new ArrayList<>();
    while (letterOf(bad).equals("NONE")) {
      good.addAll(pay(5));
      assertThat(breakers.circuitBreaker("email").getState())
          .isEqualTo(CircuitBreaker.State.CLOSED);
    }
    awaitLetter(bad, "OPEN PROVIDER_UNAVAILABLE");
    good.forEach(this::awaitSent);
    assertThat(PROVIDER.callsFor(bad)).isEqualTo(15);
  }

  @Test
  void anOperatorForcesCallsWhateverTheBreakerSays() {
    breakers.circuitBreaker("email").transitionToForcedOpenState();
    List<UUID> events = pay(5);
    eventually().until(() -> paused("outage") == 1);
    assertThat(PROVIDER.calls()).isZero();
    Operator operator = new Operator(port, "secret");
    operator.post("/provider/force", "{\"reason\":\"I know better\"}");
    events.forEach(this::awaitSent);
    operator.post("/provider/resume", "{\"reason\":\"done\"}");
    assertThat(operator.get("/provider").json().required("manual").stringValue())
        .isEqualTo("AUTOMATIC");
    assertThat(new Operator(port, null).post("/provider/pause", "{}").status()).isEqualTo(401);
  }

  @Test
  void forcedCallsThatTheProviderPutsOffAreCountedAndEndAsADeadLetter() {
    PROVIDER.asksForAPause(429, "1");
    Operator operator = new Operator(port, "secret");
    operator.post("/provider/force", "{\"reason\":\"they say it works\"}");
    UUID event = records().paid();
    awaitLetter(event, "OPEN PROVIDER_UNAVAILABLE");
    assertThat(PROVIDER.callsFor(event)).isEqualTo(5);
    operator.post("/provider/resume", "{\"reason\":\"it does not\"}");
    PROVIDER.accepts();
    awaitSent(records().paid());
    eventually().until(() -> trust.now().equals(fullTrust()));
  }

  private List<UUID> pay(int count) {
    return IntStream.range(0, count).mapToObj(i -> records().paid()).toList();
  }

  private MessageListenerContainer listener() {
    return listeners.getListenerContainer("order-paid");
  }

  private double paused(String reason) {
    return meters.get("notification.paused").tag("reason", reason).gauge().value();
  }

  private static Trust fullTrust() {
    return new Trust(Trust.Gate.OPEN, false, null, null);
  }

  private int openLetters(String cause, List<UUID> events) {
    return jdbc.sql(
            """
            select count(*) from dead_letter
            where state = 'OPEN' and cause = :cause and event_id in (:events)
            """)
        .param("cause", cause)
        .param("events", events)
        .query(Integer.class)
        .single();
  }
}
