package id.kabar.notification.email;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.email.EmailOutcome.Accepted;
import id.kabar.notification.email.EmailOutcome.NotSent;
import id.kabar.notification.event.OrderPaid;
import id.kabar.notification.ledger.ProviderStates;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.Currency;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Retry and breaker as application.yaml sets them, on a provider that counts its calls. */
@SpringBootTest(
    classes = EmailsTest.EmailsOnly.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {
      "resilience4j.retry.instances.email.wait-duration=1ms",
      "spring.main.lazy-initialization=true"
    })
class EmailsTest {

  private static final FakeProvider PROVIDER = new FakeProvider();
  private static final SettableClock CLOCK = new SettableClock();

  @Configuration(proxyBeanMethods = false)
  @ComponentScan
  @EnableConfigurationProperties({EmailSettings.class, AdmissionSettings.class})
  @ImportAutoConfiguration({
    JacksonAutoConfiguration.class,
    HttpClientAutoConfiguration.class,
    RestClientAutoConfiguration.class,
    io.github.resilience4j.springboot.circuitbreaker.autoconfigure.CircuitBreakerAutoConfiguration
        .class,
    io.github.resilience4j.springboot.retry.autoconfigure.RetryAutoConfiguration.class
  })
  static class EmailsOnly {
    @Bean
    MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    /** Nobody listens: that an instance knows of a pause must not depend on the database. */
    @Bean
    ProviderStates providers() {
      return new ProviderStates(
          JdbcClient.create(new DriverManagerDataSource("jdbc:postgresql://localhost:1/none")));
    }

    @Bean
    Clock clock() {
      return CLOCK;
    }
  }

  @DynamicPropertySource
  static void provider(DynamicPropertyRegistry properties) {
    properties.add("email.url", PROVIDER::url);
  }

  @Autowired Emails emails;
  @Autowired CircuitBreakerRegistry breakers;

  @BeforeEach
  void fresh() {
    PROVIDER.reset();
    breaker().reset();
    CLOCK.advanceSeconds(3_600);
  }

  @Test
  void anAcceptedEmailIsOneCall() {
    OrderPaid paid = paid();
    assertThat(emails.send(paid)).isEqualTo(new Accepted("message-" + paid.eventId()));
    assertThat(PROVIDER.calls()).isEqualTo(1);
  }

  @Test
  void anUnavailableProviderIsCalledThreeTimesUnderTheSameKey() {
    PROVIDER.answers(503);
    OrderPaid paid = paid();
    assertThat(emails.send(paid))
        .isEqualTo(new NotSent(EmailFailure.Unavailable.answered(503), true));
    assertThat(PROVIDER.callsFor(paid.eventId())).isEqualTo(3);
    assertThat(PROVIDER.callsOf(paid.eventId()))
        .extracting(call -> call.getBodyAsString())
        .containsOnly(PROVIDER.callsOf(paid.eventId()).getFirst().getBodyAsString());
  }

  @Test
  void aRejectedMessageIsOneCallAndSaysNothingOfTheProvider() {
    PROVIDER.answers(422);
    for (int i = 0; i < 30; i++) {
      assertThat(emails.send(paid())).isEqualTo(new NotSent(new EmailFailure.Rejected(422), false));
    }
    assertThat(PROVIDER.calls()).isEqualTo(30);
    assertThat(breaker().getState()).isEqualTo(State.CLOSED);
    assertThat(breaker().getMetrics().getNumberOfBufferedCalls()).isZero();
  }

  @Test
  void aRunOfRefusedCredentialsOpensTheBreaker() {
    PROVIDER.answers(401);
    for (int i = 0; i < 10; i++) {
      emails.send(paid());
    }
    assertThat(PROVIDER.calls()).isEqualTo(10);
    assertThat(breaker().getState()).isEqualTo(State.OPEN);
  }

  @Test
  void anOpenBreakerCostsOneDecisionAndNoCall() {
    PROVIDER.answers(503);
    while (breaker().getState() == State.CLOSED) {
      emails.send(paid());
    }
    assertThat(PROVIDER.calls()).isEqualTo(10);
    long notPermitted = breaker().getMetrics().getNumberOfNotPermittedCalls();

    assertThat(emails.send(paid()))
        .isEqualTo(new NotSent(new EmailFailure.NotCalled("the circuit breaker is open"), false));

    assertThat(PROVIDER.calls()).isEqualTo(10);
    assertThat(breaker().getMetrics().getNumberOfNotPermittedCalls()).isEqualTo(notPermitted + 1);
  }

  @Test
  void theSameKeyInFlightIsLeftToTheNextDelivery() {
    PROVIDER.answers(409);
    assertThat(emails.send(paid())).isEqualTo(new NotSent(new EmailFailure.KeyInFlight(), true));
    assertThat(PROVIDER.calls()).isEqualTo(1);
  }

  @Test
  void noCallIsMadeWhileTheProviderAsksForAPause() {
    PROVIDER.asksForAPause(429, "30");
    emails.send(paid());
    PROVIDER.accepts();

    CLOCK.advanceSeconds(29);
    assertThat(emails.send(paid()))
        .isEqualTo(
            new NotSent(new EmailFailure.NotCalled("the provider asked for a pause"), false));
    assertThat(PROVIDER.calls()).isEqualTo(1);

    CLOCK.advanceSeconds(1);
    assertThat(emails.send(paid())).isInstanceOf(Accepted.class);
  }

  @Test
  void throttlingWithoutAWaitIsRetriedAtOnce() {
    PROVIDER.answers(429);
    emails.send(paid());
    assertThat(PROVIDER.calls()).isEqualTo(3);
  }

  @Test
  void oneUnknownOutcomeOutweighsTheClearRefusalsAfterIt() {
    PROVIDER.answersInTurn(503, 422);
    assertThat(emails.send(paid())).isEqualTo(new NotSent(new EmailFailure.Rejected(422), true));
  }

  private CircuitBreaker breaker() {
    return breakers.circuitBreaker("email");
  }

  private static OrderPaid paid() {
    return new OrderPaid(
        UUID.randomUUID(),
        UUID.randomUUID(),
        "budi@example.com",
        150_000,
        Currency.getInstance("IDR"),
        Instant.parse("2026-11-30T10:15:30Z"));
  }
}
