package id.kabar.localstack.history;

import id.kabar.localstack.history.History.Delivery;
import java.util.List;
import java.util.stream.Stream;

/** Collects a history from running databases, a running broker and a running provider. */
public final class HistoryReader {

  private final Sources sources;

  public HistoryReader(Sources sources) {
    this.sources = sources;
  }

  /** The provider's account of itself; a stub that is killed takes it along. */
  public List<Delivery> inbox() {
    return new Inbox(sources.provider()).deliveries();
  }

  /**
   * Reads everything there is.
   *
   * @param earlierInboxes what the provider said before each of its deaths
   */
  public History read(List<Delivery> earlierInboxes) {
    // Against the stream of events: what a party knows, those before it must have known as well.
    return readAllButProvider(Stream.concat(earlierInboxes.stream(), inbox().stream()).toList());
  }

  /**
   * Reads everything but the provider, who may be away.
   *
   * @param inboxes what is known of it
   */
  public History readAllButProvider(List<Delivery> inboxes) {
    try (Topics topics = new Topics(sources.kafka());
        Tables notifications = new Tables(sources.notifications(), sources);
        Tables orders = new Tables(sources.orders(), sources)) {
      // Before the rows: what the consumers went past must have its row by then.
      var progress = topics.progress();
      var processed = notifications.processed();
      var deadLetters = notifications.deadLetters();
      var records = topics.records();
      return new History(
          orders.orders(),
          orders.events(),
          records,
          progress,
          processed,
          deadLetters,
          inboxes,
          Stream.concat(orders.outboxAudit().stream(), notifications.deadLetterAudit().stream())
              .toList());
    }
  }
}
