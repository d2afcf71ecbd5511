package id.kabar.relay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events a round has locked the buckets of, in order within each bucket.
 *
 * @param events never one that stands behind a parked or not yet due event of its aggregate
 * @param refused the first position of a once refused event, for each bucket that has any
 * @param full whether there is likely more to do
 */
record Claim(List<Event> events, Map<Integer, Long> refused, boolean full) {

  static final Claim NOTHING = new Claim(List.of(), Map.of(), false);

  boolean isEmpty() {
    return events.isEmpty();
  }

  /** Divides a round over its buckets, so that neither a hot nor a heavy one starves the others. */
  static final class Builder {

    private final int share;
    private final long byteShare;
    private final List<Event> events = new ArrayList<>();
    private final Map<Integer, Long> refused = new HashMap<>();
    private int bucket = -1;
    private int taken;
    private long bytes;
    private boolean closed;
    private boolean full;

    /**
     * @param share events a bucket may yield
     * @param byteShare payload a bucket may yield, though its first event is always taken
     */
    Builder(int share, long byteShare) {
      this.share = share;
      this.byteShare = byteShare;
    }

    /** Whether the next row, which comes bucket by bucket, is still part of this round. */
    boolean takes(int bucket, int payloadBytes) {
      if (bucket != this.bucket) {
        this.bucket = bucket;
        taken = 0;
        bytes = 0;
        closed = false;
      }
      if (taken > 0 && bytes + payloadBytes > byteShare) {
        closed = true;
      }
      if (closed) {
        full = true;
        return false;
      }
      bytes += payloadBytes;
      taken++;
      full |= taken == share;
      return true;
    }

    void add(Event event) {
      events.add(event);
    }

    void refused(int bucket, long position) {
      refused.put(bucket, position);
    }

    /**
     * @param everyBucket whether as many buckets were found as were asked for
     */
    Claim build(boolean everyBucket) {
      return new Claim(events, refused, full || everyBucket);
    }
  }
}
