package id.kabar.localstack.soak;

import id.kabar.localstack.LocalStack;
import id.kabar.localstack.Service;
import id.kabar.localstack.servers.OsProcess;
import id.kabar.localstack.servers.PostgresServer;
import id.kabar.localstack.servers.ServerFailed;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads everything a stack takes: of each process from the system, of each table from PostgreSQL.
 */
final class Gauges {

  private static final Set<String> DATABASES = Set.of("orders", "notifications");

  private static final String TABLES =
      """
      select
        relname,
        pg_total_relation_size(relid) as bytes,
        n_live_tup,
        n_dead_tup
      from pg_stat_user_tables
      order by relname
      """;

  private static final double MEGABYTE = 1 << 20;

  private final LocalStack stack;
  private final Heaps heaps;

  Gauges(LocalStack stack) {
    this.stack = stack;
    this.heaps = new Heaps();
  }

  /** One reading of each figure. */
  List<Reading> read(Duration at) {
    List<Reading> readings = new ArrayList<>();
    stack
        .instances()
        .forEach(
            (name, server) ->
                server
                    .process()
                    .ifPresent(
                        process ->
                            readProcess(
                                readings, at, name.toString(), process, isJava(name.service()))));
    for (String database : DATABASES) {
      readTables(readings, at, database);
    }
    return readings;
  }

  private void readProcess(
      List<Reading> readings, Duration at, String name, OsProcess process, boolean java) {
    if (java) { // before the memory, which is then that of what is needed
      heaps
          .used(process.pid())
          .ifPresent(bytes -> readings.add(new Reading(at, name, Measure.HEAP, bytes / MEGABYTE)));
    }
    Footprint footprint = Footprint.of(process);
    readings.add(new Reading(at, name, Measure.MEMORY, footprint.bytes() / MEGABYTE));
    readings.add(new Reading(at, name, Measure.HANDLES, footprint.handles()));
    readings.add(new Reading(at, name, Measure.THREADS, footprint.threads()));
  }

  private void readTables(List<Reading> readings, Duration at, String database) {
    PostgresServer postgres = (PostgresServer) stack.instance(Service.POSTGRES.label());
    try (Connection connection = postgres.connect(database);
        Statement statement = connection.createStatement();
        ResultSet tables = statement.executeQuery(TABLES)) {
      while (tables.next()) {
        String table = database + "." + tables.getString("relname");
        double bytes = tables.getDouble("bytes");
        double rows = tables.getDouble("n_live_tup");
        readings.add(new Reading(at, table, Measure.SIZE, bytes / 1024));
        readings.add(new Reading(at, table, Measure.DEAD, tables.getDouble("n_dead_tup")));
        if (rows > 0) {
          readings.add(new Reading(at, table, Measure.ROW, bytes / rows));
        }
      }
    } catch (SQLException e) {
      throw new ServerFailed("the tables of %s could not be measured".formatted(database), e);
    }
  }

  private static boolean isJava(Service service) {
    return service != Service.POSTGRES;
  }
}
