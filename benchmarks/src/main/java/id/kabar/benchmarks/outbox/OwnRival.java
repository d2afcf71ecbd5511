package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.localstack.servers.Java;
import java.util.List;
import java.util.Map;

/** A relay that was written to be compared with, out of {@code id.kabar.benchmarks.relays}. */
abstract class OwnRival extends Rival {

  private final String main;

  /**
   * @param main its class
   */
  OwnRival(String name, Table table, String main) {
    super(name, table);
    this.main = main;
  }

  @Override
  public final List<JavaProcess> relays(Bench bench, Database database, String topic, Size size) {
    return Launch.processes(
        size.replicas(),
        number ->
            new JavaProcess(
                name() + "#" + number,
                List.of(),
                Launch.log(bench, name(), topic, number),
                Launch.java(
                    size,
                    main,
                    database.jdbcUrl(),
                    ROLE,
                    bench.servers().bootstrapServers(),
                    topic),
                Map.of("CLASSPATH", Java.classPath()),
                "relaying"));
  }
}
