package id.kabar.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Hands events to Kafka and waits for the verdict on each; never lets an event overtake one of its
 * aggregate that failed before it.
 *
 * <p>What an event itself may cause is mostly found before it is sent, and then its aggregate just
 * stops for this round. What only the broker finds (a limit that shrank, a batch that expired)
 * comes back on the producer's own thread: there the whole producer is closed at once, before
 * anything queued behind the failed record is sent, and the next round starts a new one. As the
 * producer has a single request in flight per broker, nothing behind the failed record was sent
 * before either.
 */
final class Publisher implements AutoCloseable {

  private final Supplier<Producer<byte[], byte[]>> connect;
  private final EventRecords records;
  private final Duration patience;
  private final AtomicReference<@Nullable Producer<byte[], byte[]>> producer =
      new AtomicReference<>();

  /**
   * @param connect opens a producer with one request in flight
   * @param patience for all of a round
   */
  Publisher(Supplier<Producer<byte[], byte[]>> connect, EventRecords records, Duration patience) {
    this.connect = connect;
    this.records = records;
    this.patience = patience;
  }

  /**
   * @param events in order for each aggregate
   */
  Verdicts publish(List<Event> events) {
    long deadline = System.nanoTime() + patience.toNanos();
    Producer<byte[], byte[]> producer;
    try {
      producer = producer();
    } catch (RuntimeException e) { // for instance: no address of a broker can be resolved
      return new Verdicts(List.of(), List.of(), Failure.outage(String.valueOf(e.getMessage())));
    }
    Round round = new Round(producer, events.size());
    sendAll(events, round, deadline);
    round.await(deadline);
    if (round.broken || round.worn) {
      producer.close(Duration.ZERO);
      this.producer.compareAndSet(producer, null);
    }
    return round.verdicts();
  }

  private void sendAll(List<Event> events, Round round, long deadline) {
    Set<String> stopped = new HashSet<>();
    for (Event event : events) {
      if (round.broken || System.nanoTime() > deadline) {
        return;
      }
      if (stopped.contains(event.aggregateId())) {
        continue;
      }
      Failure failure = send(event, round);
      if (failure != null && !failure.isRefusal()) {
        round.worn = true;
        return; // the next one would wait as long
      }
      if (failure != null) {
        stopped.add(event.aggregateId());
      }
    }
  }

  /** Null when the event is on its way, though its verdict may be in already. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback hears all that the future would
  private @Nullable Failure send(Event event, Round round) {
    Attempt attempt = round.begin(event);
    try {
      round.producer.send(records.record(event), attempt);
    } catch (UnfitEvent e) {
      attempt.end(e.failure());
    } catch (InterruptException e) {
      attempt.end(Failure.outage("interrupted"));
    } catch (RuntimeException e) {
      attempt.end(Failure.of(e));
    }
    return attempt.failure;
  }

  /** Gives up what is not confirmed yet, from another thread; the round ends at once. */
  void giveUp() {
    Producer<byte[], byte[]> current = producer.get();
    if (current != null) {
      current.close(Duration.ZERO);
    }
  }

  @Override
  public void close() {
    Producer<byte[], byte[]> current = producer.getAndSet(null);
    if (current != null) {
      current.close(Duration.ofSeconds(1));
    }
  }

  private Producer<byte[], byte[]> producer() {
    Producer<byte[], byte[]> current = producer.get();
    if (current == null) {
      current = connect.get();
      producer.set(current);
    }
    return current;
  }

  /** The attempts of one round, and whether its producer can still be trusted. */
  private static final class Round {

    private final Producer<byte[], byte[]> producer;
    private final Thread worker = Thread.currentThread();
    private final List<Attempt> attempts;
    private final Semaphore ended = new Semaphore(0);
    private volatile boolean broken;
    private boolean worn;

    Round(Producer<byte[], byte[]> producer, int events) {
      this.producer = producer;
      this.attempts = new ArrayList<>(events);
    }

    Attempt begin(Event event) {
      Attempt attempt = new Attempt(event, this);
      attempts.add(attempt);
      return attempt;
    }

    /** On the producer's thread nothing more is sent once this returns. */
    void failedOnTheWay() {
      if (Thread.currentThread() != worker && !broken) {
        broken = true;
        producer.close(Duration.ZERO);
      }
    }

    void await(long deadline) {
      try {
        if (ended.tryAcquire(attempts.size(), deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      broken = true;
      producer.close(Duration.ZERO); // ends every attempt
    }

    Verdicts verdicts() {
      List<Verdicts.Confirmed> confirmed = new ArrayList<>(attempts.size());
      List<Verdicts.Refused> refused = new ArrayList<>();
      Set<String> stopped = new HashSet<>();
      Failure trouble = null;
      for (Attempt attempt : attempts) {
        Event event = attempt.event;
        RecordMetadata metadata = attempt.metadata;
        if (metadata != null) {
          if (!stopped.contains(event.aggregateId())) {
            confirmed.add(new Verdicts.Confirmed(event, metadata.partition(), metadata.offset()));
          }
          continue;
        }
        Failure failure = attempt.verdict();
        if (stopped.add(event.aggregateId()) && failure.isRefusal()) {
          refused.add(new Verdicts.Refused(event, failure));
        } else if (trouble == null || failure.fate() == Failure.Fate.OUTAGE) {
          trouble = failure.isRefusal() ? trouble : failure;
        }
      }
      return new Verdicts(confirmed, refused, trouble);
    }
  }

  /** One event on its way. */
  private static final class Attempt implements Callback {

    private final Event event;
    private final Round round;
    private volatile @Nullable RecordMetadata metadata;
    private volatile @Nullable Failure failure;

    Attempt(Event event, Round round) {
      this.event = event;
      this.round = round;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception exception) {
      if (exception == null) {
        this.metadata = metadata;
        round.ended.release();
      } else {
        round.failedOnTheWay();
        end(Failure.of(exception));
      }
    }

    void end(Failure failure) {
      if (this.failure == null) { // a producer may both call back and throw
        this.failure = failure;
        round.ended.release();
      }
    }

    Failure verdict() {
      Failure known = failure;
      return known == null ? Failure.outage("no answer from the broker in time") : known;
    }
  }
}
