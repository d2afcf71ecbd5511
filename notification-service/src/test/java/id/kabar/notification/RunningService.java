package id.kabar.notification;

import static org.awaitility.Awaitility.await;

import id.kabar.notification.email.FakeProvider;
import id.kabar.notification.event.TopicSettings;
import id.kabar.testservers.KafkaBroker;
import id.kabar.testservers.NotificationsDatabase;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/**
 * The service on a real database and a real broker, with its own topics, and a provider that does
 * as it is told. Pauses are short; a breaker that stays closed lets the tests count calls.
 */
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
    properties = {
      "operator.password=secret",
      "notification.listener.backoff=50ms",
      "notification.dead-letters.pause=200ms",
      "notification.dead-letters.sample-every=500ms",
      "notification.redrive.enabled=false",
      "resilience4j.retry.instances.email.wait-duration=5ms",
      "resilience4j.circuitbreaker.instances.email.sliding-window-size=10000",
      "resilience4j.circuitbreaker.instances.email.minimum-number-of-calls=10000"
    })
@Import({NotificationsDatabase.class, KafkaBroker.class})
abstract class RunningService {

  static final FakeProvider PROVIDER = new FakeProvider();

  private static final AtomicInteger CONTEXTS = new AtomicInteger();

  @Autowired TopicSettings topics;
  @Autowired JdbcClient jdbc;
  @Autowired CircuitBreakerRegistry breakers;
  @LocalServerPort int port;

  @DynamicPropertySource
  static void ofItsOwn(DynamicPropertyRegistry properties) {
    int context = CONTEXTS.incrementAndGet();
    properties.add("notification.topics.order-paid", () -> "order.paid-" + context);
    properties.add("notification.topics.dead-letters", () -> "order.paid-" + context + ".DLT");
    properties.add("notification.listener.group", () -> "notification-" + context);
    properties.add("notification.dead-letters.group", () -> "dead-letters-" + context);
    properties.add("email.url", PROVIDER::url);
  }

  @BeforeEach
  void freshProvider() {
    PROVIDER.reset();
    breakers.circuitBreaker("email").reset();
  }

  OrderPaidRecords records() {
    return OrderPaidRecords.to(topics.orderPaid());
  }

  static ConditionFactory eventually() {
    return await().atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(50));
  }

  void awaitSent(UUID event) {
    eventually().until(() -> "SENT".equals(stateOf(event)));
  }

  String stateOf(UUID event) {
    return jdbc.sql("select state from processed_event where event_id = :event")
        .param("event", event)
        .query(String.class)
        .optional()
        .orElse("ABSENT");
  }

  /** The letter of an event, as state and cause: {@code OPEN REJECTED}. */
  String letterOf(UUID event) {
    return jdbc.sql("select state || ' ' || cause from dead_letter where event_id = :event")
        .param("event", event)
        .query(String.class)
        .optional()
        .orElse("NONE");
  }

  void awaitLetter(UUID event, String stateAndCause) {
    eventually().until(() -> letterOf(event), stateAndCause::equals);
  }
}
