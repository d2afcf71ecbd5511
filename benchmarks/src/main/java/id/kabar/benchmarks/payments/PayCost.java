package id.kabar.benchmarks.payments;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.CpuTime;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.benchmarks.Workload;
import id.kabar.benchmarks.outbox.OutboxLoads;
import id.kabar.benchmarks.report.Sample;
import id.kabar.benchmarks.report.Target;
import id.kabar.localstack.servers.Java;
import id.kabar.localstack.servers.Ports;
import id.kabar.localstack.servers.ServerProcess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the caller of {@code POST /orders/{id}/pay} pays for the outbox. */
public final class PayCost implements Workload {

  private static final String OUTBOX = "kabar with outbox and relay";
  private static final String NONE = "event told to nobody";
  private static final String AFTER = "sent after the commit and awaited";
  private static final int RATE = 100;
  private static final Duration RUN_IN = Duration.ofSeconds(20);

  /** A payment may cost its caller a little more for the outbox. */
  public static Target target() {
    return Target.atMost(1.15, NONE, "pay-cost", OUTBOX, "p50 ms");
  }

  @Override
  public String name() {
    return "pay-cost";
  }

  @Override
  public String description() {
    return """
    order-service as it ships pays 100 orders/s, open loop, times from when the call was due, after 20 s of the same; \
    against the same service whose append does nothing, and one that sends to Kafka after the commit.\
    """;
  }

  @Override
  public List<String> arms() {
    return List.of(OUTBOX, NONE, AFTER);
  }

  @Override
  public String chart() {
    return "p50 ms";
  }

  @Override
  public int seconds(Plan plan) {
    return (int) plan.steady().plus(RUN_IN).toSeconds() + 18;
  }

  @Override
  public Sample run(String arm, Bench bench) throws Exception {
    Database database = bench.servers().freshDatabase();
    String topic = bench.servers().newTopic();
    int port = Ports.free();
    JavaProcess orders = orderService(bench, database, topic, port, arm);
    List<JavaProcess> all = new ArrayList<>(List.of(orders));
    if (arm.equals(OUTBOX)) {
      all.add(OutboxLoads.relay(bench, database, topic));
    }
    try (Cashier cashier = new Cashier(URI.create("http://127.0.0.1:" + port))) {
      all.forEach(ServerProcess::launch);
      all.forEach(ServerProcess::awaitReady);
      return measure(cashier, database, all, bench.steady());
    } finally {
      all.forEach(ServerProcess::kill);
      bench.servers().deleteTopic(topic);
    }
  }

  private static Sample measure(
      Cashier cashier, Database database, List<JavaProcess> services, Duration length)
      throws Exception {
    int runIn = (int) (RATE * RUN_IN.toSeconds());
    int orders = (int) (RATE * length.toSeconds());
    place(database, runIn + orders);
    // A cold service may turn some away; that is not what is measured.
    OpenLoop.run(RATE, RUN_IN, number -> cashier.pay(id(number)));
    double before = CpuTime.of(services);
    OpenLoop loop = OpenLoop.run(RATE, length, number -> cashier.pay(id(runIn + number)));
    double cpu = CpuTime.of(services) - before;
    Sample sample = loop.latencies().into(new Sample());
    sample.put("paid/s", loop.achieved()).put("services' CPU s per 1,000", cpu / orders * 1000);
    if (loop.failures() > 0) {
      sample.refuse("%d payments failed".formatted(loop.failures()));
    }
    loop.refusal().ifPresent(sample::refuse);
    return sample;
  }

  private static String id(int order) {
    return "00000000-0000-7000-8000-%012x".formatted(order);
  }

  private static void place(Database database, int orders) throws Exception {
    database.execute(
        """
        insert into orders (id, version, customer_email, total_amount, currency, status, created_at)
        select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 0,
          'customer' || n || '@example.com', 15000000, 'IDR', 'PENDING', now()
        from generate_series(0, %d) n
        """
            .formatted(orders));
    database.execute("vacuum analyze orders");
  }

  private static JavaProcess orderService(
      Bench bench, Database database, String topic, int port, String arm) {
    int management = Ports.free();
    Map<String, String> environment = new HashMap<>();
    environment.put("SERVER_ADDRESS", "127.0.0.1");
    environment.put("SERVER_PORT", Integer.toString(port));
    environment.put("MANAGEMENT_SERVER_ADDRESS", "127.0.0.1");
    environment.put("MANAGEMENT_SERVER_PORT", Integer.toString(management));
    environment.put("SPRING_DATASOURCE_URL", database.jdbcUrl());
    // The database is migrated already, by the superuser's hand and not by Flyway's.
    environment.put("SPRING_FLYWAY_ENABLED", "false");
    environment.put("BENCHMARK_KAFKA", bench.servers().bootstrapServers());
    environment.put("BENCHMARK_TOPIC", topic);
    environment.put(
        "BENCHMARK_VARIANT", arm.equals(NONE) ? "none" : arm.equals(AFTER) ? "after-commit" : "no");
    Path target = bench.checkout().resolve("benchmarks/target");
    String jar = bench.checkout().resolve("order-service/target/order-service.jar").toString();
    List<String> command = new ArrayList<>(List.of(Java.executable()));
    command.addAll(List.of("-XX:+UseSerialGC", "-Xshare:auto", "-Xmx512m"));
    command.add("-Dloader.path=" + target.resolve("benchmarks.jar") + "," + kafkaClient());
    command.addAll(
        List.of("-cp", jar, "org.springframework.boot.loader.launch.PropertiesLauncher"));
    return new JavaProcess(
        "order-service",
        List.of(port, management),
        bench.servers().folder().resolve("order-service-%s.log".formatted(topic)),
        command,
        environment,
        "Started OrderServiceApplication");
  }

  /** The jar that this program itself uses. */
  private static String kafkaClient() {
    return org.apache.kafka.clients.producer.KafkaProducer.class
        .getProtectionDomain()
        .getCodeSource()
        .getLocation()
        .getPath();
  }
}
