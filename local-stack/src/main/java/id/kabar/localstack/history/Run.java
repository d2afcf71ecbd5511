package id.kabar.localstack.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was done while a history was made: what customers asked and were told, what was broken when,
 * and how the consumers went on. Without it a history can be judged too, by less.
 *
 * @param seed from which everything broken was drawn
 * @param healedAt when nothing was broken any more; null where nobody noted it
 * @param settledAfter from then until nothing was on its way; null if that was never seen
 * @param operations in the order in which they were answered
 * @param samples of every partition of the event topic about once a second, as far as Kafka
 *     answered
 */
public record Run(
    long seed,
    Instant begunAt,
    @Nullable Instant healedAt,
    @Nullable Duration settledAfter,
    List<Operation> operations,
    List<Disturbance> disturbances,
    List<Sample> samples) {

  /** Nobody took notes. */
  public static final Run UNRECORDED =
      new Run(0, Instant.EPOCH, null, null, List.of(), List.of(), List.of());

  /** Whether it is known who asked for what. */
  boolean knowsCustomers() {
    return !operations.isEmpty();
  }

  /** What a customer may ask for. */
  public enum Action {
    PLACE,
    PAY,
    CANCEL,
    /** An event written to the outbox by hand. */
    APPEND
  }

  /** What a customer knows afterwards. */
  public enum Outcome {
    OK,
    /** Refused, and nothing was done. */
    FAIL,
    /** No answer, or none that tells. */
    UNKNOWN
  }

  /**
   * One call of a customer. Calls under one key are one wish.
   *
   * @param subject the order, or the event to be appended; null while an order has no id
   * @param amount of the order, which no other order shares
   * @param answer what the call was answered, or why it was not
   */
  public record Operation(
      String customer,
      Action action,
      String key,
      @Nullable String subject,
      long amount,
      Instant askedAt,
      Instant answeredAt,
      Outcome outcome,
      String answer) {}

  /**
   * Something that was broken for a while.
   *
   * @param parties who could not do their work because of it
   */
  public record Disturbance(String what, Set<String> parties, Instant from, Instant until) {

    boolean concerns(Set<String> any) {
      return parties.stream().anyMatch(any::contains);
    }
  }

  /**
   * How far the consumers of a partition were at a moment.
   *
   * @param next the offset they would go on from
   * @param end the offset of the next record to come
   */
  public record Sample(Instant at, int partition, long next, long end) {}
}
