package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** A way of getting committed events from a table to Kafka. */
interface Arm {

  String name();

  Table table();

  /** The role its sessions have. */
  String role();

  /** Prepared, with no relay running yet. */
  Database database(Bench bench) throws SQLException, IOException;

  /** The processes that relay, not started. */
  List<JavaProcess> relays(Bench bench, Database database, String topic, Size size);

  /** Whether the events of one key keep their order. */
  default boolean inOrder() {
    return true;
  }

  /** Whether writers ring after their commit. */
  default boolean hasDoorbell() {
    return false;
  }

  /** Between two rings of a writer. */
  default Duration bellPause() {
    return Ringer.PAUSE;
  }

  /** Of so many events asked for, how many it can move within a reasonable time. */
  default int events(int asked) {
    return asked;
  }

  /** Of so many events per second, how many it can keep up with. */
  default int rate(int asked) {
    return asked;
  }

  /** Whether nothing waits in its table once all is published. */
  default boolean emptiesItsTable() {
    return true;
  }

  /** Events that have to be moved before its processes are as fast as they get. */
  default int warmUp() {
    return 500_000;
  }

  /**
   * How large it is built.
   *
   * @param replicas processes
   * @param heap of each, such as {@code 512m}
   */
  record Size(int replicas, String heap) {
    static final Size USUAL = new Size(1, "512m");
  }
}
