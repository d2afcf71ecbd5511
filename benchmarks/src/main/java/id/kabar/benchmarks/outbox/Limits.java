package id.kabar.benchmarks.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What the machine and its servers can do without any relay. */
final class Limits implements Workload {

  private static final String PRODUCER = "Kafka producer alone";
  private static final String ONE = "commits 1 connection";
  private static final String SIXTEEN = "commits 16 connections";

  @Override
  public String name() {
    return "limits";
  }

  @Override
  public String description() {
    return """
    No relay: one producer sends 1,000,000 records of 300 B (acks=all, idempotent, linger 0, batches of 256 KB); \
    connections insert one event of 300 B per transaction for 8 s.\
    """;
  }

  @Override
  public List<String> arms() {
    return List.of(PRODUCER, ONE, SIXTEEN);
  }

  @Override
  public String chart() {
    return "per second";
  }

  @Override
  public int seconds(Plan plan) {
    return 14;
  }

  @Override
  public Sample run(String arm, Bench bench) throws Exception {
    return new Sample()
        .put(
            "per second",
            switch (arm) {
              case PRODUCER -> produce(bench);
              case ONE -> commit(bench, 1);
              default -> commit(bench, 16);
            });
  }

  @SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
  private static double produce(Bench bench) throws InterruptedException {
    String topic = bench.servers().newTopic();
    byte[] value = Shape.USUAL.payload(1, Table.noise(Shape.USUAL)).getBytes(UTF_8);
    int records = 1_000_000;
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bench.servers().bootstrapServers(),
            ProducerConfig.LINGER_MS_CONFIG,
            0,
            ProducerConfig.BATCH_SIZE_CONFIG,
            256 * 1024);
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      long start = System.nanoTime();
      for (int i = 0; i < records; i++) {
        byte[] key = Shape.USUAL.key(i).getBytes(UTF_8);
        producer.send(new ProducerRecord<>(topic, key, value));
      }
      producer.flush();
      return records / ((System.nanoTime() - start) / 1e9);
    } finally {
      bench.servers().deleteTopic(topic);
    }
  }

  private static double commit(Bench bench, int connections) throws Exception {
    Database database = bench.servers().freshDatabase();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    long end = start + 8_000_000_000L;
    try (ExecutorService pool = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        all.add(pool.submit(() -> insert(database, next, end)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    return next.get() / ((System.nanoTime() - start) / 1e9);
  }

  private static boolean insert(Database database, AtomicInteger next, long end)
      throws SQLException {
    String noise = Table.noise(Shape.USUAL);
    try (Connection connection = database.connect();
        PreparedStatement insertion = Table.OUTBOX_EVENT.insertion(connection)) {
      while (System.nanoTime() < end) {
        Table.OUTBOX_EVENT.insert(insertion, Shape.USUAL, next.getAndIncrement(), noise);
      }
      return true;
    }
  }
}
