package id.kabar.localstack.broken;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.localstack.history.History;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Order-service, relay and notification-service in a hundred lines: the same steps in the same
 * order on the same tables, but for the one mistake it makes, and it dies where it is told to.
 */
final class Miniature {

  private static final TopicPartition SOURCE = new TopicPartition(History.TOPIC, 0);
  private static final String GROUP = "notification-service";
  private static final Duration POLL = Duration.ofMillis(500);

  private final Ground ground;
  private final Mistake mistake;
  private final Crash.Point death;

  Miniature(Ground ground, Mistake mistake, Crash.Point death) {
    this.ground = ground;
    this.mistake = mistake;
    this.death = death;
  }

  // order-service

  void pay(String order) throws SQLException {
    try (Connection business = ground.orders();
        Connection aside = ground.orders()) {
      business.setAutoCommit(false);
      try (var pay =
          business.prepareStatement(
              "update orders set status = 'PAID', paid_at = clock_timestamp() where id = ?::uuid")) {
        pay.setString(1, order);
        pay.executeUpdate();
      }
      append(mistake == Mistake.PUBLISH_OUTSIDE_THE_TRANSACTION ? aside : business, order);
      dieAt(Crash.Point.BEFORE_THE_PAYMENT_IS_COMMITTED);
      business.commit();
    }
  }

  private static void append(Connection connection, String order) throws SQLException {
    try (var append =
        connection.prepareStatement(
            """
            insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)
            values ('Order', ?, 'OrderPaid', json_build_object('orderId', ?))
            """)) {
      append.setString(1, order);
      append.setString(2, order);
      append.executeUpdate();
    }
  }

  // outbox-relay

  record Pending(String id, String order, String payload) {}

  record Sent(Pending event, RecordMetadata address) {}

  /** What is pending, as a relay sees it before it has the lock if it makes that mistake. */
  List<Pending> look() throws SQLException {
    try (Connection connection = ground.orders()) {
      return pending(connection);
    }
  }

  /**
   * A round: lock, read, send, await, settle.
   *
   * @param seen what it has read before it had the lock; null for none
   */
  void relay(@Nullable List<Pending> seen) throws SQLException {
    try (Connection connection = ground.orders();
        KafkaProducer<byte[], byte[]> producer = producer()) {
      connection.setAutoCommit(false);
      connection.createStatement().execute("select 1 from outbox_bucket for update");
      boolean old = mistake == Mistake.SNAPSHOT_BEFORE_THE_LOCK && seen != null;
      List<Pending> events = old ? seen : pending(connection);
      if (mistake == Mistake.SETTLE_BEFORE_THE_CONFIRMATION) {
        for (Pending event : events) {
          settle(connection, event, 0, 0);
        }
        connection.commit();
      }
      dieAt(Crash.Point.BEFORE_THE_SEND);
      List<Sent> sent = new ArrayList<>();
      for (Pending event : events) {
        sent.add(new Sent(event, publish(producer, record(event))));
      }
      dieAt(Crash.Point.BETWEEN_SEND_AND_SETTLE);
      if (mistake != Mistake.SETTLE_BEFORE_THE_CONFIRMATION) {
        for (Sent each : sent) {
          settle(connection, each.event(), each.address().partition(), each.address().offset());
        }
        connection.commit();
      }
    }
  }

  private static List<Pending> pending(Connection connection) throws SQLException {
    try (ResultSet rows =
        connection
            .createStatement()
            .executeQuery("select id, aggregate_id, payload from outbox_event order by position")) {
      List<Pending> events = new ArrayList<>();
      while (rows.next()) {
        events.add(new Pending(rows.getString(1), rows.getString(2), rows.getString(3)));
      }
      return events;
    }
  }

  private ProducerRecord<byte[], byte[]> record(Pending event) {
    byte[] key = mistake == Mistake.NO_RECORD_KEY ? null : event.order().getBytes(UTF_8);
    var record = new ProducerRecord<>(History.TOPIC, key, event.payload().getBytes(UTF_8));
    record.headers().add("ce_id", event.id().getBytes(UTF_8));
    return record;
  }

  private static void settle(Connection connection, Pending event, int partition, long offset)
      throws SQLException {
    try (var settle =
        connection.prepareStatement(
            """
            with settled as (delete from outbox_event where id = ?::uuid returning *)
            insert into outbox_archive (id, position, aggregate_type, aggregate_id, event_type, payload,
                                        created_at, partition, "offset")
            select id, position, aggregate_type, aggregate_id, event_type, payload, created_at, ?, ?
            from settled
            """)) {
      settle.setString(1, event.id());
      settle.setInt(2, partition);
      settle.setLong(3, offset);
      settle.executeUpdate();
    }
  }

  // notification-service

  /** Reads what is there and handles it: claim, call, finish, commit the offset. */
  void notifyCustomers() throws SQLException, IOException, InterruptedException {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer();
        Connection connection = ground.notifications()) {
      consumer.assign(List.of(SOURCE));
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (mistake == Mistake.OFFSET_BEFORE_THE_EMAIL) {
          commit(consumer, record);
        }
        dieAt(Crash.Point.BEFORE_THE_EMAIL);
        if (!handle(connection, record)) {
          return; // it is kept, and read again
        }
        commit(consumer, record);
      }
    }
  }

  private boolean handle(Connection connection, ConsumerRecord<byte[], byte[]> record)
      throws SQLException, IOException, InterruptedException {
    String event = new String(record.headers().lastHeader("ce_id").value(), UTF_8);
    if (!claim(connection, event)) {
      return true; // sent already
    }
    int status = call(event);
    if (status / 100 == 2) {
      finish(connection, event);
      return true;
    }
    execute(connection, "delete from processed_event where event_id = ?::uuid", event);
    boolean published = deadLetter(record);
    return published || mistake == Mistake.SKIP_A_FAILED_DEAD_LETTER;
  }

  private static boolean claim(Connection connection, String event) throws SQLException {
    return execute(
            connection,
            """
            insert into processed_event (event_id, order_id, state, owner, claim_expires_at, attempts)
            values (?::uuid, gen_random_uuid(), 'SENDING', 'miniature', now() + interval '1 minute', 1)
            on conflict do nothing
            """,
            event)
        == 1;
  }

  private int call(String event) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(ground.provider().url() + "/v1/messages"))
            .POST(HttpRequest.BodyPublishers.ofString("{}"));
    if (mistake != Mistake.NO_IDEMPOTENCY_KEY) {
      request.header("Idempotency-Key", event);
    }
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }
  }

  private void finish(Connection connection, String event) throws SQLException {
    execute(
        connection,
        mistake == Mistake.FORGET_TOO_EARLY
            ? "delete from processed_event where event_id = ?::uuid"
            : """
            update processed_event
            set state = 'SENT', owner = null, claim_expires_at = null, provider_message_id = 'message',
                sent_at = now()
            where event_id = ?::uuid
            """,
        event);
  }

  private boolean deadLetter(ConsumerRecord<byte[], byte[]> record) {
    var letter = new ProducerRecord<>(History.DEAD_LETTER_TOPIC, record.key(), record.value());
    record.headers().forEach(letter.headers()::add);
    letter.headers().add("dead-letter-cause", "REJECTED".getBytes(UTF_8));
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      publish(producer, letter);
      return true;
    } catch (IllegalStateException refused) {
      return false;
    }
  }

  private static void commit(
      KafkaConsumer<byte[], byte[]> consumer, ConsumerRecord<byte[], byte[]> record) {
    consumer.commitSync(Map.of(SOURCE, new OffsetAndMetadata(record.offset() + 1)));
  }

  private static int execute(Connection connection, String sql, String event) throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      statement.setObject(1, UUID.fromString(event));
      return statement.executeUpdate();
    }
  }

  // all of them

  private void dieAt(Crash.Point point) {
    if (death == point) {
      throw new Crash(point);
    }
  }

  private static RecordMetadata publish(
      KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    try {
      return producer.send(record).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("refused", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers", ground.bootstrapServers(), "acks", "all", "max.block.ms", 1_500),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            ground.bootstrapServers(),
            "group.id",
            GROUP,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest",
            "allow.auto.create.topics",
            false),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
