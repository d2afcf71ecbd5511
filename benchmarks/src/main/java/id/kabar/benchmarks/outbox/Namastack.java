package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** On its own table, with a handler that sends each record and waits, as its Kafka module does. */
final class Namastack extends Rival {

  Namastack() {
    super("namastack", Table.OUTBOX_RECORD);
  }

  @Override
  public int events(int asked) {
    return asked / 8;
  }

  @Override
  public int warmUp() {
    return 50_000;
  }

  @Override
  public List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
    Path target = bench.checkout().resolve("benchmarks/namastack/target");
    String classPath =
        target.resolve("benchmark-namastack.jar") + ":" + target.resolve("lib") + "/*";
    return Launch.processes(
        size.replicas(),
        number ->
            new JavaProcess(
                name() + "#" + number,
                List.of(),
                Launch.log(bench, name(), topic, number),
                Launch.java(size, "-cp", classPath, "id.kabar.benchmarks.namastack.NamastackRelay"),
                Map.of(
                    "SPRING_DATASOURCE_URL", database.jdbcUrl(),
                    "SPRING_DATASOURCE_USERNAME", ROLE,
                    "SPRING_DATASOURCE_PASSWORD", ROLE,
                    "KAFKA", bench.servers().bootstrapServers(),
                    "TOPIC", topic),
                "Namastack relays"));
  }
}
