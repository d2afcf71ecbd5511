package id.kabar.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class PublisherTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<Broker> brokers = new ArrayList<>();
  private final EventRecords records =
      new EventRecords(
          Settings.of("routes.OrderPaid", "order.paid"),
          name -> new Topics.Topic(1000, null),
          false);

  @Test
  void confirmedEventsComeBackWithTheirPlaceInKafka() {
    Verdicts verdicts = publish(events("a1", "b1", "a2"), Broker::confirmAll);

    assertThat(names(verdicts)).containsExactly("a1", "b1", "a2");
    assertThat(verdicts.confirmed()).extracting(Verdicts.Confirmed::offset).doesNotHaveDuplicates();
    assertThat(verdicts.refused()).isEmpty();
    assertThat(verdicts.trouble()).isNull();
  }

  @Test
  void eventRefusedBeforeSendingStopsItsAggregateAndNoOther() {
    Verdicts verdicts = publish(events("a1", "a2!", "a3", "b1"), Broker::confirmAll);

    assertThat(names(verdicts)).containsExactly("a1", "b1");
    assertThat(verdicts.refused()).extracting(r -> name(r.event())).containsExactly("a2!");
    assertThat(brokers.getFirst().history()).as("a3 was never sent").hasSize(2);
    assertThat(verdicts.trouble()).isNull();
  }

  @Test
  void eventRefusedByTheBrokerStopsEverythingQueuedBehindIt() {
    Verdicts verdicts =
        publish(
            events("a1", "a2", "a3", "b1"),
            broker -> {
              broker.completeNext();
              broker.errorNext(new RecordTooLargeException("too large"));
            });

    assertThat(names(verdicts)).containsExactly("a1");
    assertThat(verdicts.refused()).extracting(r -> name(r.event())).containsExactly("a2");
    assertThat(brokers.getFirst().closed()).isTrue();
    assertThat(verdicts.trouble()).isNotNull();
    assertThat(verdicts.trouble().fate()).isEqualTo(Failure.Fate.BYSTANDER);
  }

  @Test
  void nextRoundAfterAFailureStartsANewProducer() {
    try (Publisher publisher = publisher(Broker::confirmAll)) {
      brokers.add(new Broker(broker -> broker.errorNext(new NotEnoughReplicasException("m"))));
      publisher.publish(events("a1"));

      assertThat(names(publisher.publish(events("a1")))).containsExactly("a1");
      assertThat(brokers).hasSize(2);
    }
  }

  @Test
  void outageSettlesWhatWasConfirmedAndBlamesNobody() {
    Verdicts verdicts =
        publish(
            events("a1", "b1", "a2"),
            broker -> {
              broker.completeNext();
              broker.errorNext(new TimeoutException("expired"));
            });

    assertThat(names(verdicts)).containsExactly("a1");
    assertThat(verdicts.refused()).isEmpty();
    assertThat(verdicts.trouble()).isNotNull();
    assertThat(verdicts.trouble().fate()).isEqualTo(Failure.Fate.OUTAGE);
  }

  @Test
  void confirmationBehindAFailureOfTheSameAggregateDoesNotCount() {
    // must not happen with one request in flight; were it to, settling a2 would lose the order
    Verdicts verdicts =
        publish(
            events("a1", "a2"),
            broker -> {
              broker.confirmSecondOnly();
              broker.errorNext(new TimeoutException("expired"));
            });

    assertThat(verdicts.confirmed()).isEmpty();
  }

  @Test
  void silentBrokerEndsTheRoundInTime() {
    Broker silent = new Broker(broker -> {});
    try (Publisher publisher = new Publisher(() -> silent, records, Duration.ofMillis(300))) {
      Verdicts verdicts = publisher.publish(events("a1", "b1"));

      assertThat(verdicts.isEmpty()).isTrue();
      assertThat(verdicts.trouble()).isNotNull();
      assertThat(silent.closed()).isTrue();
    }
  }

  @Test
  void brokerThatCannotEvenBeLookedUpIsAnOutage() {
    Publisher publisher =
        new Publisher(
            () -> {
              throw new IllegalArgumentException("No resolvable bootstrap urls");
            },
            records,
            PATIENCE);

    Failure trouble = publisher.publish(events("a1")).trouble();

    assertThat(trouble).isEqualTo(Failure.outage("No resolvable bootstrap urls"));
  }

  @Test
  void roundGivenUpFromOutsideEndsAtOnce() {
    Broker silent = new Broker(broker -> {});
    try (Publisher publisher = new Publisher(() -> silent, records, PATIENCE)) {
      CompletableFuture<Verdicts> round =
          CompletableFuture.supplyAsync(() -> publisher.publish(events("a1")));
      await().until(() -> silent.history().size() == 1);

      publisher.giveUp();

      assertThat(round).succeedsWithin(PATIENCE);
      assertThat(round.join().isEmpty()).isTrue();
    }
  }

  private Verdicts publish(List<Event> events, Consumer<Broker> answer) {
    try (Publisher publisher = publisher(answer)) {
      return publisher.publish(events);
    }
  }

  private int opened;

  private Publisher publisher(Consumer<Broker> answer) {
    return new Publisher(
        () -> {
          if (opened == brokers.size()) {
            brokers.add(new Broker(answer));
          }
          return brokers.get(opened++);
        },
        records,
        PATIENCE);
  }

  private static List<Event> events(String... names) {
    List<Event> events = new ArrayList<>();
    for (String name : names) {
      String payload = name.endsWith("!") ? "x".repeat(2000) : name;
      events.add(
          new Event(
              1,
              events.size() + 1,
              UUID.nameUUIDFromBytes(name.getBytes(UTF_8)),
              name,
              name.substring(0, 1),
              "OrderPaid",
              payload.getBytes(UTF_8),
              "{}",
              Instant.EPOCH));
    }
    return events;
  }

  private static List<String> names(Verdicts verdicts) {
    return verdicts.confirmed().stream().map(c -> name(c.event())).toList();
  }

  private static String name(Event event) {
    return event.aggregateType();
  }

  /** Answers on a thread of its own once nothing more is sent; closing fails what is open. */
  private static final class Broker extends MockProducer<byte[], byte[]> {

    private final Consumer<Broker> answer;
    private final List<Callback> callbacks = new ArrayList<>();
    private volatile boolean answering;

    Broker(Consumer<Broker> answer) {
      super(
          false, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
      this.answer = answer;
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      callbacks.add(callback);
      Future<RecordMetadata> future = super.send(record, callback);
      if (!answering) {
        answering = true;
        Thread.ofVirtual().start(this::answer);
      }
      return future;
    }

    private void answer() {
      await().during(Duration.ofMillis(50)).until(() -> true);
      answer.accept(this);
    }

    void confirmAll() {
      while (completeNext()) {
        Thread.onSpinWait();
      }
    }

    void confirmSecondOnly() {
      TopicPartition place = new TopicPartition("order.paid", 0);
      callbacks.get(1).onCompletion(new RecordMetadata(place, 0, 0, 0, 0, 0), null);
    }

    @Override
    public void close(Duration timeout) {
      super.close(timeout);
      while (errorNext(new KafkaException("Producer is closed"))) {
        Thread.onSpinWait();
      }
    }
  }
}
