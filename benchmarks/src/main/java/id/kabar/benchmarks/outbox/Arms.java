package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.localstack.servers.Java;
import id.kabar.localstack.servers.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The relays that are compared; each runs on the same Java with the same flags. */
final class Arms {

  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xshare:auto");
  private static final String RIVAL = "rival";

  static final Arm KABAR = new Kabar("kabar", Map.of());
  static final Arm KABAR_NO_PAYLOAD =
      new Kabar("kabar-lean-archive", Map.of("RELAY_ARCHIVE_KEEP_PAYLOAD", "false"));
  static final Arm KABAR_NO_BELL =
      new Kabar("kabar-no-doorbell", Map.of("RELAY_DOORBELL_ENABLED", "false")) {
        @Override
        public boolean hasDoorbell() {
          return false;
        }
      };
  static final Arm DEBEZIUM = new Debezium();
  static final Arm NAMASTACK = new Namastack();
  static final Arm NAIVE = new Naive();
  static final Arm ROW_LOCKS = new RowLocks();

  private Arms() {}

  private static List<JavaProcess> processes(int replicas, IntFunction<JavaProcess> make) {
    return IntStream.rangeClosed(1, replicas).mapToObj(make).toList();
  }

  private static Path log(Bench bench, String arm, String topic, int number) {
    return bench.servers().folder().resolve("%s-%s-%d.log".formatted(arm, topic, number));
  }

  private static List<String> java(Arm.Size size, String... arguments) {
    List<String> command = new ArrayList<>(List.of(Java.executable()));
    command.addAll(FLAGS);
    command.add("-Xmx" + size.heap());
    String extra = System.getProperty("kabar.bench.flags", "");
    if (!extra.isBlank()) {
      command.addAll(List.of(extra.split(" ", -1)));
    }
    command.addAll(List.of(arguments));
    return command;
  }

  /** The product as it ships: its defaults, but for where everything is. */
  private static class Kabar implements Arm {

    private final String name;
    private final Map<String, String> settings;

    Kabar(String name, Map<String, String> settings) {
      this.name = name;
      this.settings = settings;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Table table() {
      return Table.OUTBOX_EVENT;
    }

    @Override
    public String role() {
      return "outbox_relay";
    }

    @Override
    public boolean hasDoorbell() {
      return true;
    }

    @Override
    public Database database(Bench bench) throws SQLException, IOException {
      return bench.servers().freshDatabase();
    }

    @Override
    public List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
      return processes(
          size.replicas(),
          number -> {
            int port = Ports.free();
            Map<String, String> environment = new HashMap<>(settings);
            environment.put("SERVER_PORT", Integer.toString(port));
            environment.put("SERVER_ADDRESS", "127.0.0.1");
            environment.put("SPRING_DATASOURCE_URL", database.jdbcUrl());
            environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", bench.servers().bootstrapServers());
            environment.put("RELAY_ROUTES_ORDERPAID", topic);
            String jar =
                bench.checkout().resolve("outbox-relay/target/outbox-relay.jar").toString();
            return new JavaProcess(
                name + "#" + number,
                List.of(port),
                log(bench, name, topic, number),
                java(size, "-jar", jar),
                environment,
                "Started OutboxRelayApplication");
          });
    }
  }

  /** A relay that is not ours, which may do as it likes with a table of the same database. */
  private abstract static class Rival implements Arm {

    private final String name;
    private final Table table;

    Rival(String name, Table table) {
      this.name = name;
      this.table = table;
    }

    @Override
    public final String name() {
      return name;
    }

    @Override
    public final Table table() {
      return table;
    }

    @Override
    public final String role() {
      return RIVAL;
    }

    @Override
    public Database database(Bench bench) throws SQLException, IOException {
      return rival(bench.servers().freshDatabase());
    }
  }

  /** Its engine, with the event router, on the product's own table; see docs/outgrow. */
  private static final class Debezium extends Rival {

    Debezium() {
      super("debezium", Table.OUTBOX_EVENT);
    }

    @Override
    public boolean emptiesItsTable() {
      return false;
    }

    @Override
    public Database database(Bench bench) throws SQLException, IOException {
      Database database = rival(bench.servers().freshDatabaseForDecoding());
      // Before the first event, as it would be in a running system: nothing is left to a snapshot.
      database.execute(
          "create publication kabar_outbox for table outbox_event with (publish = 'insert')");
      database.execute("select pg_create_logical_replication_slot('kabar_outbox', 'pgoutput')");
      return database;
    }

    @Override
    public List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
      String main = "id.kabar.outgrow.DebeziumRelay";
      Path target = bench.checkout().resolve("docs/outgrow/target");
      String classPath = target.resolve("outgrow.jar") + ":" + target.resolve("lib") + "/*";
      return processes(
          size.replicas(),
          number ->
              new JavaProcess(
                  name() + "#" + number,
                  List.of(),
                  log(bench, name(), topic, number),
                  java(
                      size,
                      "-cp",
                      classPath,
                      main,
                      bench.checkout().resolve("benchmarks/debezium.properties").toString()),
                  Map.of(
                      "DATABASE_PORT",
                      Integer.toString(database.server().port()),
                      "DATABASE_USER",
                      RIVAL,
                      "DATABASE_PASSWORD",
                      RIVAL,
                      "KAFKA",
                      bench.servers().bootstrapServers(),
                      "TOPIC",
                      topic,
                      "OFFSETS",
                      bench.servers().folder().resolve("offsets-" + topic).toString()),
                  "Debezium streams"));
    }
  }

  /**
   * On its own table, with a handler that sends each record and waits, as its Kafka module does.
   */
  private static final class Namastack extends Rival {

    Namastack() {
      super("namastack", Table.OUTBOX_RECORD);
    }

    @Override
    public int events(int asked) {
      return asked / 8;
    }

    @Override
    public int warmUp() {
      return 8_000;
    }

    @Override
    public List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
      Path target = bench.checkout().resolve("benchmarks/namastack/target");
      String classPath =
          target.resolve("benchmark-namastack.jar") + ":" + target.resolve("lib") + "/*";
      return processes(
          size.replicas(),
          number ->
              new JavaProcess(
                  name() + "#" + number,
                  List.of(),
                  log(bench, name(), topic, number),
                  java(size, "-cp", classPath, "id.kabar.benchmarks.namastack.NamastackRelay"),
                  Map.of(
                      "SPRING_DATASOURCE_URL", database.jdbcUrl(),
                      "SPRING_DATASOURCE_USERNAME", RIVAL,
                      "SPRING_DATASOURCE_PASSWORD", RIVAL,
                      "KAFKA", bench.servers().bootstrapServers(),
                      "TOPIC", topic),
                  "Namastack relays"));
    }
  }

  /** Batch of 100, each row sent and awaited, then marked; a second's sleep after each batch. */
  private static final class Naive extends Rival {

    Naive() {
      super("naive", Table.OUTBOX);
    }

    @Override
    public int events(int asked) {
      return Math.min(asked, Math.max(300, asked / 333));
    }

    @Override
    public int rate(int asked) {
      return asked / 10;
    }

    @Override
    public int warmUp() {
      return 200;
    }

    @Override
    public List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
      return own(bench, this, "id.kabar.benchmarks.relays.NaiveRelay", database, topic, size);
    }
  }

  /** Claims single rows with SKIP LOCKED, sends them and deletes them: fast, and without order. */
  private static final class RowLocks extends Rival {

    RowLocks() {
      super("row-locks", Table.OUTBOX_EVENT);
    }

    @Override
    public boolean inOrder() {
      return false;
    }

    @Override
    public List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
      return own(bench, this, "id.kabar.benchmarks.relays.RowLockRelay", database, topic, size);
    }
  }

  private static List<JavaProcess> own(
      Bench bench, Arm arm, String main, Database database, String topic, Arm.Size size) {
    return processes(
        size.replicas(),
        number ->
            new JavaProcess(
                arm.name() + "#" + number,
                List.of(),
                log(bench, arm.name(), topic, number),
                java(
                    size,
                    main,
                    database.jdbcUrl(),
                    RIVAL,
                    bench.servers().bootstrapServers(),
                    topic),
                Map.of("CLASSPATH", Java.classPath()),
                "relaying"));
  }

  private static Database rival(Database database) throws SQLException {
    database.execute(
        """
        do $$ begin
          if not exists (select from pg_roles where rolname = 'rival') then
            create role rival superuser replication login password 'rival';
          end if;
        end $$;
        alter default privileges for role rival grant all on tables to order_service;
        """);
    return database;
  }
}
