package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.localstack.servers.Ports;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The product as it ships: its defaults, but for where everything is. */
class Kabar implements Arm {

  private final String name;
  private final Map<String, String> settings;

  Kabar(String name, Map<String, String> settings) {
    this.name = name;
    this.settings = settings;
  }

  /**
   * What somebody wants to try beside the product, from the environment: {@code
   * KABAR_BENCH_TRY="three RELAY_WORKERS=3; before JAR=/tmp/outbox-relay.jar BELL_MS=5"} makes two
   * arms out of settings, another build and another pause of the writers' doorbell.
   */
  static List<Arm> tries() {
    List<Arm> arms = new ArrayList<>();
    for (String one : System.getenv().getOrDefault("KABAR_BENCH_TRY", "").split(";", -1)) {
      List<String> words = List.of(one.strip().split("\\s+", -1));
      if (!words.getFirst().isEmpty()) {
        Map<String, String> settings = new HashMap<>();
        words.stream()
            .skip(1)
            .map(word -> word.split("=", 2))
            .forEach(pair -> settings.put(pair[0], pair[1]));
        arms.add(new Kabar("kabar-" + words.getFirst(), settings));
      }
    }
    return arms;
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
  public Duration bellPause() {
    String pause = settings.get("BELL_MS");
    return pause == null ? Ringer.PAUSE : Duration.ofMillis(Long.parseLong(pause));
  }

  @Override
  public Database database(Bench bench) throws SQLException, IOException {
    return bench.servers().freshDatabase();
  }

  @Override
  public List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
    return Launch.processes(
        size.replicas(),
        number -> {
          int port = Ports.free();
          Map<String, String> environment = new HashMap<>(settings);
          environment.put("SERVER_PORT", Integer.toString(port));
          environment.put("SERVER_ADDRESS", "127.0.0.1");
          environment.put("SPRING_DATASOURCE_URL", database.jdbcUrl());
          environment.put("SPRING_KAFKA_BOOTSTRAP_SERVERS", bench.servers().bootstrapServers());
          environment.put("RELAY_ROUTES_ORDERPAID", topic);
          String jar = bench.checkout().resolve("outbox-relay/target/outbox-relay.jar").toString();
          return new JavaProcess(
              name + "#" + number,
              List.of(port),
              Launch.log(bench, name, topic, number),
              Launch.java(size, "-jar", settings.getOrDefault("JAR", jar)),
              environment,
              "Started OutboxRelayApplication");
        });
  }
}
