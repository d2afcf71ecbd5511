package id.kabar.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A broker that keeps its records in order, and answers as its mood is. */
final class FickleBroker {

  enum Mood {
    WELL,
    REFUSES_SOME,
    HOPELESS_FOR_SOME,
    AWAY,
    LOSES_ANSWERS
  }

  private record Arrival(String key, UUID id) {}

  private final List<Arrival> log = new ArrayList<>();
  private final Set<UUID> confirmed = new HashSet<>();
  private Random random = new Random();
  private Mood mood = Mood.WELL;
  private @Nullable Outbox doomed;

  synchronized void seed(long seed) {
    random = new Random(seed);
  }

  synchronized void turn(Mood mood) {
    this.mood = mood;
  }

  /** Whether the session of the relay that hears the next answer ends just before. */
  synchronized void onNextAnswer(Outbox session, boolean ends) {
    doomed = ends ? session : null;
  }

  synchronized Set<UUID> confirmed() {
    return Set.copyOf(confirmed);
  }

  /** The ids of each key in the order of their first arrival. */
  synchronized Map<String, List<UUID>> firstArrivals() {
    Map<String, List<UUID>> byKey = new HashMap<>();
    Set<UUID> seen = new HashSet<>();
    for (Arrival arrival : log) {
      if (seen.add(arrival.id())) {
        byKey.computeIfAbsent(arrival.key(), key -> new ArrayList<>()).add(arrival.id());
      }
    }
    return byKey;
  }

  Producer<byte[], byte[]> connect() {
    return new Connection(this);
  }

  /** Null when the record was appended and is confirmed. */
  private synchronized @Nullable Exception receive(ProducerRecord<byte[], byte[]> record) {
    endDoomed();
    boolean some = random.nextInt(5) == 0;
    if (mood == Mood.AWAY) {
      return new TimeoutException("away");
    }
    if (some && mood == Mood.REFUSES_SOME) {
      return new TopicAuthorizationException(Set.of(record.topic()));
    }
    if (some && mood == Mood.HOPELESS_FOR_SOME) {
      return new RecordTooLargeException("hopeless");
    }
    UUID id = UUID.fromString(new String(record.headers().lastHeader("ce_id").value(), UTF_8));
    log.add(new Arrival(new String(record.key(), UTF_8), id));
    if (some && mood == Mood.LOSES_ANSWERS) {
      return new TimeoutException("appended, but nobody heard");
    }
    confirmed.add(id);
    return null;
  }

  private void endDoomed() {
    if (doomed != null) {
      try {
        doomed.abort();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      doomed = null;
    }
  }

  /** A producer with one record in flight, which answers on a thread of its own. */
  private static final class Connection extends MockProducer<byte[], byte[]> {

    private record Sent(ProducerRecord<byte[], byte[]> record, Callback callback) {}

    private final FickleBroker broker;
    private final BlockingQueue<Sent> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean gone;

    Connection(FickleBroker broker) {
      super(false, null, new ByteArraySerializer(), new ByteArraySerializer());
      this.broker = broker;
      this.thread = Thread.ofVirtual().start(this::deliver);
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (gone) {
        throw new IllegalStateException("closed");
      }
      queue.add(new Sent(record, callback));
      return new CompletableFuture<>();
    }

    private void deliver() {
      try {
        while (!gone) {
          Sent sent = queue.take();
          Exception failure = broker.receive(sent.record());
          TopicPartition place = new TopicPartition(sent.record().topic(), 0);
          sent.callback().onCompletion(new RecordMetadata(place, 0, 0, 0, 0, 0), failure);
        }
      } catch (InterruptedException e) {
        gone = true;
      }
      failTheRest();
    }

    private void failTheRest() {
      for (Sent sent = queue.poll(); sent != null; sent = queue.poll()) {
        TopicPartition place = new TopicPartition(sent.record().topic(), 0);
        sent.callback()
            .onCompletion(
                new RecordMetadata(place, -1, 0, 0, 0, 0),
                new KafkaException("Producer is closed forcefully."));
      }
    }

    @Override
    public void close(Duration timeout) {
      synchronized (this) {
        gone = true; // nothing is accepted from here on
      }
      if (Thread.currentThread() != thread) {
        thread.interrupt();
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
