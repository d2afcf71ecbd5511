package id.kabar.orders.outbox;

import id.kabar.orders.outbox.OutboxSettings.DoorbellSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.time.Duration;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.json.JsonMapper;

/** Makes outboxes with another limit than the service's. */
@TestComponent
public class SmallOutbox {

  private final JdbcClient jdbc;
  private final JsonMapper json;
  private final Doorbell doorbell;

  SmallOutbox(JdbcClient jdbc, JsonMapper json, Doorbell doorbell) {
    this.jdbc = jdbc;
    this.json = json;
    this.doorbell = doorbell;
  }

  public Outbox of(String maxPayload) {
    OutboxSettings settings =
        new OutboxSettings(
            DataSize.parse(maxPayload),
            new DoorbellSettings(
                false, Duration.ofMillis(5), Duration.ofMillis(100), Duration.ofSeconds(5)));
    return new Outbox(
        jdbc, json, doorbell, Tracer.NOOP, Propagator.NOOP, new SimpleMeterRegistry(), settings);
  }
}
