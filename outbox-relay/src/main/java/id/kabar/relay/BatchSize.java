package id.kabar.relay;

/**
 * How many events a worker's next round asks for: more while rounds come back full, as few as
 * payloads allow where these are large. The database reads a payload before anybody can tell that
 * it is one too many.
 */
final class BatchSize {

  private final RelaySettings.Batch batch;
  private final int buckets;
  private int next;

  /**
   * @param buckets of a round; each of them is to yield one event at least
   */
  BatchSize(RelaySettings.Batch batch, int buckets) {
    this.batch = batch;
    this.buckets = buckets;
    this.next = batch.size();
  }

  int next() {
    return next;
  }

  void learn(Claim claim) {
    if (claim.heavy()) {
      next = Math.min(Math.max(claim.events().size() * 2, buckets), batch.maxSize());
    } else if (claim.full()) {
      next = Math.min(next * 2, batch.maxSize());
    } else {
      next = batch.size();
    }
  }
}
