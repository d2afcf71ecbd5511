package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.CpuTime;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.benchmarks.Servers;
import java.sql.SQLException;
import java.util.List;

/** What relays, PostgreSQL and Kafka have used since it was started. */
final class Meter {

  private final Database database;
  private final List<JavaProcess> relays;
  private final Servers servers;
  private final String role;
  private final Reading start;
  private Reading end;

  private record Reading(
      double relay, double postgres, double kafka, double wal, double statements, double queries) {}

  private Meter(Servers servers, Database database, List<JavaProcess> relays, String role)
      throws SQLException {
    this.servers = servers;
    this.database = database;
    this.relays = relays;
    this.role = role;
    this.start = read();
    this.end = start;
  }

  static Meter start(Servers servers, Database database, List<JavaProcess> relays, String role)
      throws SQLException {
    return new Meter(servers, database, relays, role);
  }

  void stop() throws SQLException {
    end = read();
  }

  private Reading read() throws SQLException {
    return new Reading(
        CpuTime.of(relays),
        CpuTime.of(List.of(database.server())),
        CpuTime.of(List.of(servers.kafka())),
        database.walBytes(),
        database.statements(role),
        database.queries(role));
  }

  double relaySeconds() {
    return end.relay() - start.relay();
  }

  double postgresSeconds() {
    return end.postgres() - start.postgres();
  }

  double kafkaSeconds() {
    return end.kafka() - start.kafka();
  }

  double walBytes() {
    return end.wal() - start.wal();
  }

  /** Statements without the transactions' begin and end. */
  double queries() {
    return end.queries() - start.queries();
  }

  double statements() {
    return end.statements() - start.statements();
  }
}
