package id.kabar.localstack.history;

/**
 * A history in numbers. Each payment is exactly one of mailed, dead-lettered, pending and vanished.
 *
 * @param records in the event topic
 * @param repeats records whose event was in the topic already
 * @param sending claimed by a consumer that has not finished
 * @param repeatedCalls calls the provider answered from memory
 * @param unpublished events in the outbox that are not parked
 */
public record Figures(
    int orders,
    int payments,
    int mailed,
    int deadLettered,
    int pending,
    int vanished,
    int parked,
    int records,
    int repeats,
    int deadLetters,
    int sending,
    long repeatedCalls,
    int unpublished) {

  @Override
  public String toString() {
    return """
        %,d orders, %,d paid: %,d mailed, %,d dead-lettered, %,d pending (%,d parked), %,d vanished
        %,d records in the topic, %,d of them repeats; %,d dead letters; %,d unfinished; %,d repeated calls to the provider"""
        .formatted(
            orders,
            payments,
            mailed,
            deadLettered,
            pending,
            parked,
            vanished,
            records,
            repeats,
            deadLetters,
            sending,
            repeatedCalls);
  }
}
