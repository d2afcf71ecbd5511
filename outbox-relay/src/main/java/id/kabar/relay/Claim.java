package id.kabar.relay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events a round has locked the buckets of, in order within each bucket.
 *
 * @param events never one that stands behind a parked or not yet due event of its aggregate
 * @param reaches how far each bucket was looked at
 * @param full whether there is likely more to do
 * @param heavy whether events were read and left out because of the bytes of those before them
 */
record Claim(List<Event> events, Map<Integer, Reach> reaches, boolean full, boolean heavy) {

  static final Claim NOTHING = new Claim(List.of(), Map.of(), false, false);

  /**
   * Up to this position a bucket holds the claim's events of it, refused ones that are not due, and
   * what waits behind these.
   *
   * @param released the bucket's count of refused events that have left, as it was then
   * @param idle whether the claim has no event of it
   */
  record Reach(long position, long released, boolean idle) {

    Reach butBefore(long staying) {
      return new Reach(Math.min(position, staying - 1), released, idle);
    }
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  /** Divides a round over its buckets, so that neither a hot nor a heavy one starves the others. */
  static final class Builder {

    private final int share;
    private final long byteShare;
    private final List<Event> events = new ArrayList<>();
    private final Map<Integer, Reach> reaches = new HashMap<>();
    private int bucket = -1;
    private long released;
    private long seen;
    private long last;
    private int taken;
    private long bytes;
    private boolean closed;
    private boolean full;
    private boolean heavy;

    /**
     * @param share events a bucket may yield
     * @param byteShare payload a bucket may yield, though its first event is always taken
     */
    Builder(int share, long byteShare) {
      this.share = share;
      this.byteShare = byteShare;
    }

    /**
     * Says whose row comes next; rows come bucket by bucket.
     *
     * @param seen how far the bucket was looked at, should its events not make up a share; zero
     *     means to its last event
     */
    void bucket(int bucket, long released, long seen) {
      if (bucket != this.bucket) {
        endBucket();
        this.bucket = bucket;
        this.released = released;
        this.seen = seen;
        last = 0;
        taken = 0;
        bytes = 0;
        closed = false;
      }
    }

    /** Whether the bucket's next event is still part of this round. */
    boolean takes(long position, int payloadBytes) {
      if (taken > 0 && bytes + payloadBytes > byteShare) {
        closed = true;
      }
      if (closed) {
        full = true;
        heavy = true;
        return false;
      }
      bytes += payloadBytes;
      taken++;
      last = position;
      full |= taken == share;
      return true;
    }

    void add(Event event) {
      events.add(event);
    }

    private void endBucket() {
      long reached = closed || taken == share ? last : Math.max(last, seen);
      if (reached > 0) {
        reaches.put(bucket, new Reach(reached, released, taken == 0));
      }
    }

    /**
     * @param everyBucket whether as many buckets were found as were asked for
     */
    Claim build(boolean everyBucket) {
      endBucket();
      return new Claim(events, reaches, full || everyBucket, heavy);
    }
  }
}
