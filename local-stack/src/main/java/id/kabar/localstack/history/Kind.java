package id.kabar.localstack.history;

/** The ways a history can be wrong, each with the promise it breaks. */
public enum Kind {
  LOST("K-1", "a committed payment's event is not where it must be"),
  GHOST("K-2", "something speaks of a payment that was never committed"),
  SEVERAL_EVENTS("K-2", "one payment has more than one event"),
  ALTERED("K-1", "a record differs from the event in the database"),
  MISROUTED("K-1", "a record is in a foreign topic or under a foreign key"),
  OUT_OF_ORDER("K-6", "events of one order are out of the order of their commits"),
  MAILED_TWICE("K-3", "the provider accepted more than one email for a payment"),
  VANISHED("K-5", "neither mailed, nor dead-lettered, nor still on its way"),
  REPLAY_WITHOUT_END("K-5", "a dead letter was sent again, and nothing came of it"),
  HELD("K-4", "a record held its partition beyond its bound"),
  UNSETTLED("K-1", "after everything was healed, news did not arrive"),
  REPEATED("K-3", "an event was published twice though nobody was disturbed"),
  UNFINISHED("K-3", "a consumer has claimed an event, and nobody will finish it"),
  NO_CAUSE("K-5", "a dead letter does not say why");

  private final String promise;
  private final String meaning;

  Kind(String promise, String meaning) {
    this.promise = promise;
    this.meaning = meaning;
  }

  public String promise() {
    return promise;
  }

  public String meaning() {
    return meaning;
  }
}
