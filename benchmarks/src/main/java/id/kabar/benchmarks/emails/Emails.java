package id.kabar.benchmarks.emails;

import static java.nio.charset.StandardCharsets.UTF_8;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.CpuTime;
import id.kabar.benchmarks.Servers;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.report.Sample;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.Provisioning;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Events of different orders wait in three partitions; one instance sends their emails. */
public final class Emails implements Workload {

  /** What a listener that takes record after record has on its way: one per partition. */
  private static final int SEQUENTIAL = Servers.PARTITIONS;

  private static final int PARALLEL = 64;

  private static final String SEQUENTIAL_ARM = "one-per-partition";
  private static final String PARALLEL_ARM = "64-in-flight";

  private final Duration latency;

  private Emails(Duration latency) {
    this.latency = latency;
  }

  /** One load for each latency of the provider. */
  public static List<Workload> all() {
    return List.of(
        new Emails(Duration.ofMillis(5)),
        new Emails(Duration.ofMillis(100)),
        new Emails(Duration.ofSeconds(1)));
  }

  @Override
  public String name() {
    return "emails-" + latency.toMillis();
  }

  @Override
  public String description() {
    return """
    Paid orders wait in three partitions; one instance of notification-service sends their emails to a provider that \
    takes %d ms for each. "%s" is what a listener that takes record after record has on its way, "%s" the default. \
    The first fifth is not counted.\
    """
        .formatted(latency.toMillis(), SEQUENTIAL_ARM, PARALLEL_ARM);
  }

  @Override
  public List<String> arms() {
    return List.of(SEQUENTIAL_ARM, PARALLEL_ARM);
  }

  @Override
  public String chart() {
    return "emails/s";
  }

  @Override
  public int seconds(Plan plan) {
    return 45;
  }

  @Override
  public Sample run(String arm, Bench bench) throws Exception {
    int inFlight = arm.equals(PARALLEL_ARM) ? PARALLEL : SEQUENTIAL;
    int events = events(inFlight) / (bench.length() == Bench.Length.FULL ? 1 : 2);
    PostgresServer postgres = freshDatabase(bench);
    String topic = bench.servers().newTopic();
    pay(bench.servers().bootstrapServers(), topic, events);
    try (SlowProvider provider = new SlowProvider(latency)) {
      NotificationServer service = server(bench, postgres, topic, inFlight, provider);
      service.start();
      try {
        double connections = awaitAll(postgres, events);
        double cpu = CpuTime.of(List.of(service));
        Sample sample =
            new Sample()
                .put("emails/s", provider.perSecond(events / 5))
                .put("emails", events)
                .put("database connections, at most", connections)
                .put("CPU s, the start included", cpu);
        if (provider.emails() != events) {
          sample.refuse("%d emails for %d events".formatted(provider.emails(), events));
        }
        return sample;
      } finally {
        service.stop();
      }
    } finally {
      bench.servers().deleteTopic(topic);
    }
  }

  /** Enough for some twenty seconds, if the provider's latency were all. */
  private int events(int inFlight) {
    long perSecond = Math.min(700, inFlight * 1_000L / latency.toMillis());
    return (int) (perSecond * 20);
  }

  private static PostgresServer freshDatabase(Bench bench) throws Exception {
    PostgresServer postgres = bench.servers().freshDatabase().server();
    try (Connection superuser = postgres.connect("postgres");
        Statement statement = superuser.createStatement()) {
      statement.execute("drop database if exists notifications with (force)");
      Provisioning.database(superuser, "notifications", "notification_service");
    }
    return postgres;
  }

  private static NotificationServer server(
      Bench bench, PostgresServer postgres, String topic, int inFlight, SlowProvider provider) {
    Path log = bench.servers().folder().resolve("notification-service.log");
    return new NotificationServer(
        Ports.free(),
        log,
        bench.checkout(),
        Map.of(
            "SPRING_DATASOURCE_URL",
            postgres.jdbcUrl("notifications"),
            "SPRING_KAFKA_BOOTSTRAP_SERVERS",
            bench.servers().bootstrapServers(),
            "NOTIFICATION_TOPICS_ORDERPAID",
            topic,
            "NOTIFICATION_TOPICS_DEADLETTERS",
            topic + ".DLT",
            "NOTIFICATION_LISTENER_GROUP",
            "emails-" + topic,
            "NOTIFICATION_DEADLETTERS_GROUP",
            "dead-letters-" + topic,
            "NOTIFICATION_INFLIGHT",
            Integer.toString(inFlight),
            "EMAIL_URL",
            provider.url()),
        provider);
  }

  private static void pay(String bootstrapServers, String topic, int events)
      throws InterruptedException, ExecutionException {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", bootstrapServers, "linger.ms", 5),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < events; i++) {
        UUID order = UUID.randomUUID();
        String json =
            """
            {"eventId":"%s","orderId":"%s","customerEmail":"customer-%d@customers.example",\
            "totalAmount":15000000,"currency":"IDR","paidAt":"2026-11-30T10:15:30.123456Z"}\
            """
                .formatted(UUID.randomUUID(), order, i);
        var record =
            new ProducerRecord<>(topic, order.toString().getBytes(UTF_8), json.getBytes(UTF_8));
        record.headers().add("ce_type", "id.kabar.OrderPaid.v1".getBytes(UTF_8));
        sent.add(producer.send(record));
      }
      for (Future<?> confirmation : sent) {
        confirmation.get();
      }
    }
  }

  /** Waits until all are recorded as sent; returns the most connections the service had. */
  private static double awaitAll(PostgresServer postgres, int events)
      throws SQLException, InterruptedException {
    double most = 0;
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    try (Connection superuser = postgres.connect("notifications")) {
      while (number(superuser, "select count(*) from processed_event where state = 'SENT'")
          < events) {
        most =
            Math.max(
                most,
                number(
                    superuser,
                    "select count(*) from pg_stat_activity where usename ="
                        + " 'notification_service'"));
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("not all emails were sent within three minutes");
        }
        Thread.sleep(100);
      }
    }
    return most;
  }

  private static double number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getDouble(1);
    }
  }
}
