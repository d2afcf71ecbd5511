package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Its engine, with the event router, on the product's own table; see docs/outgrow. */
final class Debezium extends Rival {

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
    return Launch.processes(
        size.replicas(),
        number ->
            new JavaProcess(
                name() + "#" + number,
                List.of(),
                Launch.log(bench, name(), topic, number),
                Launch.java(
                    size,
                    "-cp",
                    classPath,
                    main,
                    bench.checkout().resolve("benchmarks/debezium.properties").toString()),
                Map.of(
                    "DATABASE_PORT",
                    Integer.toString(database.server().port()),
                    "DATABASE_USER",
                    ROLE,
                    "DATABASE_PASSWORD",
                    ROLE,
                    "KAFKA",
                    bench.servers().bootstrapServers(),
                    "TOPIC",
                    topic,
                    "OFFSETS",
                    bench.servers().folder().resolve("offsets-" + topic).toString()),
                "Debezium streams"));
  }
}
