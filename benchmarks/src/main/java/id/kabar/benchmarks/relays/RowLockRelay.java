package id.kabar.benchmarks.relays;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * As fast as a relay can be that keeps no order: two threads delete any free rows, send them all,
 * await them all, and commit. Nothing is archived.
 */
final class RowLockRelay {

  private static final int BATCH = 1_000;
  private static final int THREADS = 2;
  private static final long NOTHING_FOUND = 20;

  // The planner must not read a table whole that was empty when the plan was made.
  private static final String SESSION =
      """
      select set_config('plan_cache_mode', 'force_generic_plan', false),
        set_config('enable_seqscan', 'off', false), set_config('enable_sort', 'off', false),
        set_config('jit', 'off', false)
      """;

  private static final String TAKE =
      """
      delete from outbox_event
      where ctid = any (array(
        select ctid from outbox_event order by bucket, position limit ? for update skip locked))
      returning aggregate_id, payload
      """;

  private RowLockRelay() {}

  public static void main(String[] args) throws InterruptedException {
    Plumbing plumbing = Plumbing.of(args);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(Thread.ofPlatform().start(() -> relay(plumbing)));
    }
    System.out.println("relaying");
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @SuppressWarnings("BusyWait") // a poll, as relays have
  private static void relay(Plumbing plumbing) {
    Map<String, Object> settings =
        Map.of(ProducerConfig.LINGER_MS_CONFIG, 0, ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
    try (Connection connection = plumbing.connect();
        Producer<String, byte[]> producer = plumbing.producer(settings)) {
      try (PreparedStatement session = connection.prepareStatement(SESSION)) {
        session.execute();
        connection.commit();
      }
      while (true) {
        if (!round(connection, producer, plumbing.topic())) {
          Thread.sleep(NOTHING_FOUND);
        }
      }
    } catch (SQLException | ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean round(
      Connection connection, Producer<String, byte[]> producer, String topic)
      throws SQLException, ExecutionException, InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (PreparedStatement take = connection.prepareStatement(TAKE)) {
      take.setInt(1, BATCH);
      try (ResultSet rows = take.executeQuery()) {
        while (rows.next()) {
          sent.add(producer.send(new ProducerRecord<>(topic, rows.getString(1), rows.getBytes(2))));
        }
      }
    }
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
    connection.commit();
    return !sent.isEmpty();
  }
}
