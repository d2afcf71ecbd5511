package id.kabar.notification;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Replays by several instances on one database: together they send each letter once. */
class ReplayInstancesIT extends SeveralInstances {

  @Test
  void aReplayIsOneThoughManyRunItAndKeepsItsPace() {
    start();
    start();
    PROVIDER.answers(422);
    List<UUID> events = paid(30);
    eventually().until(() -> letters("OPEN") == events.size());
    PROVIDER.reset();

    Operator operator = new Operator(portOf(instances.getFirst()), "secret");
    assertThat(operator.post("/dead-letters/replay", "{\"perSecond\":15}").status()).isEqualTo(202);
    eventually().until(() -> letters("RESOLVED") == events.size());
    assertThat(records()).isEqualTo(2 * events.size());
    assertThat(events).allSatisfy(event -> assertThat(PROVIDER.callsFor(event)).isEqualTo(1));
    assertThat(span())
        .isGreaterThan(Duration.ofMillis(900)); // 29 pauses, less a second to catch up
  }

  @Test
  void whatAnOutageHasLeftIsRedrivenByInstancesThatCameLater() {
    ConfigurableApplicationContext first = start("notification.redrive.enabled=false");
    PROVIDER.answers(503);
    List<UUID> events = paid(12);
    eventually().until(() -> letters("OPEN") == events.size());
    first.close();
    PROVIDER.reset();

    start();
    start();
    eventually().until(() -> letters("RESOLVED") == events.size());
    assertThat(records()).isEqualTo(2 * events.size());
    assertThat(events).allSatisfy(event -> assertThat(PROVIDER.callsFor(event)).isEqualTo(1));
  }

  private List<UUID> paid(int count) {
    return IntStream.range(0, count).mapToObj(i -> OrderPaidRecords.to(topic).paid()).toList();
  }

  private int records() {
    return (int)
        OrderPaidRecords.to(topic).all().stream()
            .filter(record -> new String(record.value(), UTF_8).contains("eventId"))
            .count();
  }

  private int letters(String state) {
    return jdbc.sql("select count(*) from dead_letter where state = ?")
        .param(state)
        .query(Integer.class)
        .single();
  }

  private Duration span() {
    return Duration.ofMillis(
        jdbc.sql(
                """
                select (extract(epoch from max(replayed_at) - min(replayed_at)) * 1000)::bigint
                from dead_letter
                """)
            .query(Long.class)
            .single());
  }

  /** Impatient, so that an outage and its end are over in seconds. */
  @Override
  ConfigurableApplicationContext start(String... settings) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "operator.password=secret",
                "notification.listener.backoff=50ms",
                "notification.listener.redeliveries=1",
                "notification.redrive.look-every=200ms",
                "notification.redrive.report-every=200ms",
                "notification.redrive.probe-pause=200ms",
                "notification.outage.hold=1s",
                "resilience4j.circuitbreaker.instances.email.wait-duration-in-open-state=1s",
                "resilience4j.retry.instances.email.wait-duration=5ms"));
    all.addAll(List.of(settings));
    return super.start(all.toArray(String[]::new));
  }
}
