package id.kabar.orders.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * Appends events to the transaction that is going on; they exist when, and only when, it commits.
 */
@Component
public class Outbox {

  private static final Logger log = LoggerFactory.getLogger(Outbox.class);
  private static final String TRACEPARENT = "traceparent";

  private final JdbcClient jdbc;
  private final JsonMapper json;
  private final Doorbell doorbell;
  private final Tracer tracer;
  private final Propagator propagator;
  private final MeterRegistry metrics;
  private final OutboxSettings settings;

  Outbox(
      JdbcClient jdbc,
      JsonMapper json,
      Doorbell doorbell,
      Tracer tracer,
      Propagator propagator,
      MeterRegistry metrics,
      OutboxSettings settings) {
    this.jdbc = jdbc;
    this.json = json;
    this.doorbell = doorbell;
    this.tracer = tracer;
    this.propagator = propagator;
    this.metrics = metrics;
    this.settings = settings;
  }

  /**
   * Appends the event, with the trace that is going on.
   *
   * @throws EventTooLarge if its topic would refuse it
   * @throws org.springframework.transaction.IllegalTransactionStateException without a transaction:
   *     there would be nothing the event is committed with
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void append(OutboxEvent event) {
    String headers = json.writeValueAsString(withTrace(event.headers()));
    long bytes = (long) event.payload().getBytes(UTF_8).length + headers.getBytes(UTF_8).length;
    if (bytes > settings.maxPayload().toBytes()) {
      throw new EventTooLarge(event, bytes, settings.maxPayload());
    }
    jdbc.sql(OutboxSql.APPEND)
        .param("id", event.id())
        .param("aggregateType", event.aggregateType())
        .param("aggregateId", event.aggregateId())
        .param("type", event.type())
        .param("payload", event.payload())
        .param("headers", headers)
        .update();
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            doorbell.ring();
            metrics.counter("outbox.appended", "type", event.type()).increment();
            log.info("Committed {}", event);
          }
        });
  }

  private Map<String, String> withTrace(Map<String, String> headers) {
    Map<String, String> all = new TreeMap<>(headers);
    Span span = tracer.currentSpan();
    if (span != null) {
      Map<String, String> fields = new HashMap<>();
      propagator.inject(span.context(), fields, (carrier, name, value) -> fields.put(name, value));
      // Neither tracestate nor baggage: those are the client's words, and may be anything.
      String traceparent = fields.get(TRACEPARENT);
      if (traceparent != null) {
        all.put(TRACEPARENT, traceparent);
      }
    }
    return all;
  }
}
