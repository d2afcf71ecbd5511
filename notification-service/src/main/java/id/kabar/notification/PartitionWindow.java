package id.kabar.notification;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.support.Acknowledgment;

/**
 * The records of one partition that are in hand, from its assignment to its end: different keys at
 * once, equal keys one after the other. Only what has nothing unfinished before it is acknowledged,
 * so that a crash can repeat records, which the ledger notices, but never skip one.
 */
final class PartitionWindow {

  private static final Logger log = LoggerFactory.getLogger(PartitionWindow.class);

  private static final Duration AFTER_A_MISTAKE = Duration.ofSeconds(1);

  /** Delivers a record; returns whether it is done with, or was left because the window closed. */
  interface Work {
    boolean deliver();
  }

  /** What the owner of the windows wants to know; called under the window's lock, so in order. */
  interface Watcher {
    /** Another record is the first unfinished one, or there is none. */
    void firstChanged(TopicPartition partition, boolean any);

    void finishedOne();

    /** The window has become full, or has room again. */
    void roomChanged(TopicPartition partition);
  }

  private final TopicPartition partition;
  private final int mostUnfinished;
  private final int longestSpan;
  private final Watcher watcher;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final Deque<Entry> entries = new ArrayDeque<>();
  private final Map<ByteBuffer, Deque<Entry>> chains = new HashMap<>();
  private long lastOffset = -1;
  private int unfinished;
  private boolean full;
  private boolean ended;

  /**
   * Opens the window of a partition that was just assigned.
   *
   * @param mostUnfinished records that may wait or be under way before no more should be fetched
   * @param longestSpan records that may be in hand, finished behind an unfinished one included
   */
  PartitionWindow(TopicPartition partition, int mostUnfinished, int longestSpan, Watcher watcher) {
    this.partition = partition;
    this.mostUnfinished = mostUnfinished;
    this.longestSpan = longestSpan;
    this.watcher = watcher;
  }

  /**
   * A record in hand; its work is forgotten once it is done, its place is kept until it is first.
   */
  private static final class Entry {
    private final Acknowledgment offset;
    private @Nullable Work work;

    Entry(Acknowledgment offset, Work work) {
      this.offset = offset;
      this.work = work;
    }
  }

  TopicPartition partition() {
    return partition;
  }

  /**
   * Takes the next record in hand. One that comes again, after a seek, is in hand already.
   *
   * @param key null if the record needs no order
   */
  void take(byte @Nullable [] key, long offset, Acknowledgment acknowledgment, Work work) {
    synchronized (this) {
      if (!open() || offset <= lastOffset) {
        return;
      }
      lastOffset = offset;
      Entry entry = new Entry(acknowledgment, work);
      entries.add(entry);
      unfinished++;
      enchain(ByteBuffer.wrap(key != null ? key : ownKey(offset)), entry);
      if (entries.size() == 1) {
        watcher.firstChanged(partition, true);
      }
      if (!full && crowded()) {
        full = true;
        watcher.roomChanged(partition);
      }
    }
  }

  /** The offset behind the last record taken in hand; empty if none was yet. */
  synchronized OptionalLong next() {
    return lastOffset < 0 ? OptionalLong.empty() : OptionalLong.of(lastOffset + 1);
  }

  private void enchain(ByteBuffer key, Entry entry) {
    Deque<Entry> chain = chains.get(key);
    if (chain != null) {
      chain.add(entry);
    } else {
      chains.put(key, new ArrayDeque<>(List.of(entry)));
      Thread.ofVirtual().name("order-paid").start(() -> run(key, entry));
    }
  }

  private static byte[] ownKey(long offset) {
    return ByteBuffer.allocate(Long.BYTES + 1).putLong(offset).array();
  }

  private void run(ByteBuffer key, Entry first) {
    Entry entry = first;
    while (entry != null) {
      Work work = entry.work;
      if (work == null || !delivered(work)) {
        left(key);
        return;
      }
      entry = finished(key, entry);
    }
  }

  /** A mistake of ours must not end a record's thread: its partition would stand still for ever. */
  private boolean delivered(Work work) {
    do {
      try {
        return work.deliver();
      } catch (RuntimeException e) {
        log.error("A record of {} was not delivered and is tried again", partition, e);
        pause(AFTER_A_MISTAKE);
      }
    } while (open());
    return false;
  }

  private synchronized void left(ByteBuffer key) {
    chains.remove(key);
    notifyAll();
  }

  /** Acknowledges the finished records at the front; returns the next one of the same key. */
  private synchronized @Nullable Entry finished(ByteBuffer key, Entry entry) {
    entry.work = null;
    unfinished--;
    watcher.finishedOne();
    if (acknowledgeFront() && open()) {
      watcher.firstChanged(partition, !entries.isEmpty());
    }
    if (full && roomy() && open()) {
      full = false;
      watcher.roomChanged(partition);
    }
    return next(key);
  }

  private @Nullable Entry next(ByteBuffer key) {
    Deque<Entry> chain = chains.get(key);
    if (chain != null) {
      chain.poll();
      if (!chain.isEmpty() && open()) {
        return chain.peek();
      }
    }
    left(key);
    return null;
  }

  private boolean acknowledgeFront() {
    Entry last = null;
    while (!entries.isEmpty() && entries.peek().work == null) {
      last = entries.poll();
    }
    if (last != null && !ended) {
      last.offset.acknowledge();
    }
    return last != null;
  }

  private boolean crowded() {
    return unfinished >= mostUnfinished || entries.size() >= longestSpan;
  }

  private boolean roomy() {
    return unfinished <= mostUnfinished / 2 && entries.size() < longestSpan;
  }

  /** Whether no more records should be fetched for now. */
  synchronized boolean full() {
    return full;
  }

  /** Whether any record waits or is under way. */
  synchronized boolean busy() {
    return unfinished > 0;
  }

  /** Whether the partition is still ours. */
  boolean open() {
    return closed.getCount() > 0;
  }

  /** Waits, but not beyond the window's end. */
  void pause(Duration duration) {
    try {
      closed.await(duration.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Begins nothing more; what is under way may end. */
  void close() {
    closed.countDown();
  }

  /**
   * Waits for what was under way when the window closed. What ends later is not acknowledged: the
   * partition's new owner may be further on.
   *
   * @return whether all of it ended
   */
  synchronized boolean awaitEnd(Duration atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!chains.isEmpty()) {
      long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (millis <= 0) {
        break;
      }
      wait(millis);
    }
    ended = true;
    return chains.isEmpty();
  }
}
