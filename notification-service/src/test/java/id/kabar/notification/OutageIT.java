package id.kabar.notification;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.testservers.TestKafka;
import id.kabar.testservers.TestPostgres;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Our own database or the broker goes away: nothing is lost, nothing is blamed on an event. */
@DirtiesContext
@TestPropertySource(
    properties = {
      "spring.datasource.hikari.connection-timeout=1000",
      "notification.listener.progress-bound=3s",
      "notification.listener.look-every=500ms"
    })
class OutageIT extends RunningService {

  @Autowired KafkaListenerEndpointRegistry listeners;

  @Test
  void withoutItsDatabaseTheServiceWaitsAndSaysSo() {
    awaitSent(records().paid());
    TestPostgres.shared().stop();
    List<UUID> events;
    try {
      events = IntStream.range(0, 5).mapToObj(i -> records().paid()).toList();
      eventually().until(() -> health("readiness") == 503);
      assertThat(health("liveness")).isEqualTo(200);
      assertThat(new Operator(port, "secret").get("/dead-letters").status()).isEqualTo(503);
    } finally {
      TestPostgres.shared().start();
    }
    for (UUID event : events) {
      eventually().ignoreExceptions().until(() -> "SENT".equals(stateOf(event)));
    }
    assertThat(events).allSatisfy(event -> assertThat(PROVIDER.callsFor(event)).isEqualTo(1));
    assertThat(
            jdbc.sql("select count(*) from dead_letter where event_id in (:events)")
                .param("events", events)
                .query(Integer.class)
                .single())
        .isZero();
    eventually().until(() -> health("readiness") == 200);
  }

  @Test
  void withoutItsDatabaseADeadLetterIsTakenInLater() {
    PROVIDER.answers(422);
    UUID event = records().paid();
    eventually().until(() -> PROVIDER.callsFor(event) == 1);
    TestPostgres.shared().stop();
    TestPostgres.shared().start();
    eventually().ignoreExceptions().until(() -> letterOf(event).equals("OPEN REJECTED"));
  }

  @Test
  void aBrokerThatComesBackFindsTheServiceListening() {
    awaitSent(records().paid());
    TestKafka.shared().stop();
    try {
      assertThat(health("liveness")).isEqualTo(200);
    } finally {
      TestKafka.shared().start();
    }
    awaitSent(records().paid());
  }

  @Test
  void aListenerThatNoLongerFetchesIsNotReady() {
    awaitSent(records().paid());
    MessageListenerContainer listener = listeners.getListenerContainer("order-paid");
    listener.pause();
    List<UUID> waiting = IntStream.range(0, 9).mapToObj(i -> records().paid()).toList();
    try {
      eventually().until(() -> health("readiness") == 503);
      assertThat(health("liveness")).isEqualTo(200);
    } finally {
      listener.resume();
    }
    waiting.forEach(this::awaitSent);
    eventually().until(() -> health("readiness") == 200);
  }

  @Test
  void aListenerThatHasStoppedIsNotReady() {
    MessageListenerContainer listener = listeners.getListenerContainer("dead-letters");
    listener.stop();
    assertThat(health("readiness")).isEqualTo(503);
    listener.start();
    assertThat(health("readiness")).isEqualTo(200);
  }

  private int health(String group) {
    return new Operator(port, null).get("/actuator/health/" + group).status();
  }
}
