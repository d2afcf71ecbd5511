package id.kabar.localstack.history;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run has left behind, everywhere: rows of both databases, records of all topics, how far
 * the consumers came, and the keys the provider knows. It holds data only; {@link HistoryReader}
 * collects it and {@link HistoryCheck} judges it.
 *
 * @param events pending, parked and archived ones
 * @param records of all topics, in the order of their offsets
 * @param progress where each topic's consumers go on, by partition
 * @param inbox one line per idempotency key; several for a key that met several lives of the
 *     provider
 * @param audit what operators did, in both databases
 */
public record History(
    List<Order> orders,
    List<OutboxEvent> events,
    List<TopicRecord> records,
    Map<Partition, Long> progress,
    List<ProcessedEvent> processed,
    List<DeadLetter> deadLetters,
    List<Delivery> inbox,
    List<Audit> audit) {

  public static final String TOPIC = "order.paid";
  public static final String DEAD_LETTER_TOPIC = "order.paid.DLT";

  /** The header in which a dead letter says why it is one. */
  static final String CAUSE = "dead-letter-cause";

  /** The type of the event of a payment. */
  static final String ORDER_PAID = "OrderPaid";

  /**
   * The type of events of nobody's, which an experiment writes many of for one aggregate: an order
   * has but one event, which can overtake none.
   */
  public static final String PROBE = "ChaosProbe";

  public static final String PROBE_TOPIC = "chaos.probe";

  /** Which topic an event belongs to, by its type in the outbox. */
  static final Map<String, String> ROUTES = Map.of(ORDER_PAID, TOPIC, PROBE, PROBE_TOPIC);

  /**
   * A row of {@code orders}.
   *
   * @param amount in the currency's minor unit; where customers are recorded, no two ask the same
   */
  public record Order(
      String id, String status, long amount, Instant createdAt, @Nullable Instant paidAt) {

    boolean isPaid() {
      return status.equals("PAID");
    }
  }

  /**
   * A row of {@code outbox_event} or {@code outbox_archive}.
   *
   * @param payload as text, exactly as it was written; null once the archive has forgotten it
   */
  public record OutboxEvent(
      String id,
      long position,
      String aggregateId,
      String type,
      @Nullable String payload,
      Instant createdAt,
      Stage stage) {

    /** Whether it tells of a payment. */
    boolean isOfOrder() {
      return !type.equals(PROBE);
    }
  }

  /** How far an event came in the outbox. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "stage")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Stage.Pending.class, name = "pending"),
    @JsonSubTypes.Type(value = Stage.Parked.class, name = "parked"),
    @JsonSubTypes.Type(value = Stage.Archived.class, name = "archived")
  })
  public sealed interface Stage {

    /** Not published yet, or refused and waiting for its next attempt. */
    record Pending(int attempts) implements Stage {}

    /** Given up until an operator decides. */
    record Parked(int attempts, String error) implements Stage {}

    /** Confirmed by Kafka under this address. */
    record Archived(Instant publishedAt, int partition, long offset) implements Stage {}
  }

  /**
   * A record of a topic.
   *
   * @param headers as text; of repeated names the last
   */
  public record TopicRecord(
      String topic,
      int partition,
      long offset,
      Instant timestamp,
      @Nullable String key,
      Map<String, String> headers,
      @Nullable String value) {

    public @Nullable String eventId() {
      return headers.get("ce_id");
    }

    Partition home() {
      return new Partition(topic, partition);
    }

    String address() {
      return "%s-%d@%d".formatted(topic, partition, offset);
    }
  }

  /** A partition of a topic. */
  public record Partition(String topic, int number) {}

  /**
   * A row of {@code processed_event}.
   *
   * @param state SENDING, UNSENT or SENT
   */
  public record ProcessedEvent(String eventId, String state, @Nullable Instant sentAt) {

    boolean isSent() {
      return state.equals("SENT");
    }

    boolean isSending() {
      return state.equals("SENDING");
    }
  }

  /**
   * A row of {@code dead_letter}.
   *
   * @param eventId null where the record carried none
   * @param state OPEN, REPLAYED, RESOLVED or DISCARDED
   */
  public record DeadLetter(
      @Nullable String eventId, String state, @Nullable String cause, @Nullable Instant failedAt) {

    /** Whether it waits for an operator. */
    public boolean isOpen() {
      return state.equals("OPEN");
    }

    boolean isDiscarded() {
      return state.equals("DISCARDED");
    }

    boolean isReplayed() {
      return state.equals("REPLAYED");
    }
  }

  /**
   * What the provider did under one idempotency key.
   *
   * @param accepted emails delivered to the customer
   * @param repeated calls answered from memory
   * @param bodyHash SHA-256 of the first body; null where nobody noted it
   */
  public record Delivery(String key, int accepted, int repeated, @Nullable String bodyHash) {

    public Delivery(String key, int accepted, int repeated) {
      this(key, accepted, repeated, null);
    }
  }

  /** A row of {@code dead_letter_audit} or {@code outbox_audit}. */
  public record Audit(Instant at, String where, String operator, String action, int count) {}
}
