package id.kabar.benchmarks.outbox;

import id.kabar.benchmarks.Bench;
import id.kabar.benchmarks.Database;
import id.kabar.benchmarks.JavaProcess;
import id.kabar.benchmarks.Servers;
import id.kabar.benchmarks.report.Sample;
import id.kabar.localstack.servers.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * An arm on a clean database and a new topic, its relays running and warm. Events are numbered in
 * the order in which they are written.
 */
final class Stage implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final Bench bench;
  private final Arm arm;
  private final Shape shape;
  private final Database database;
  private final String topic;
  private final List<JavaProcess> relays;
  private final Admin admin;
  private final List<Long> frozenSenders = new ArrayList<>();
  private int written;

  private Stage(
      Bench bench,
      Arm arm,
      Shape shape,
      Database database,
      String topic,
      List<JavaProcess> relays) {
    this.bench = bench;
    this.arm = arm;
    this.shape = shape;
    this.database = database;
    this.topic = topic;
    this.relays = relays;
    this.admin = bench.servers().admin();
  }

  /** Relays do not run yet. */
  static Stage set(Bench bench, Arm arm, Shape shape, Arm.Size size)
      throws SQLException, IOException, InterruptedException {
    Database database = arm.database(bench);
    arm.table().make(database);
    String topic = bench.servers().newTopic();
    return new Stage(bench, arm, shape, database, topic, arm.relays(bench, database, topic, size));
  }

  /** Starts the relays and has them move so many events. */
  void warm(int events) throws SQLException, InterruptedException {
    relays.forEach(ServerProcess::launch);
    relays.forEach(ServerProcess::awaitReady);
    if (events > 0) {
      fill(events);
      ring();
      awaitAll();
    }
  }

  /** Writes so many events in one transaction. */
  void fill(int events) throws SQLException {
    arm.table().fill(database, shape, written, written + events - 1);
    written += events;
  }

  /** Counts events that somebody else has written. */
  void wrote(int events) {
    written += events;
  }

  int written() {
    return written;
  }

  /**
   * Nobody relays until {@link #thaw()}; whatever decodes the log on PostgreSQL's side stands still
   * as well.
   */
  void freeze() throws SQLException, IOException {
    relays.forEach(ServerProcess::freeze);
    try (Connection connection = database.server().connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select pid from pg_stat_replication")) {
      while (rows.next()) {
        frozenSenders.add(rows.getLong(1));
      }
    }
    signal("STOP");
  }

  void thaw() throws IOException {
    signal("CONT");
    frozenSenders.clear();
    relays.forEach(ServerProcess::thaw);
  }

  private void signal(String signal) throws IOException {
    for (Long pid : frozenSenders) {
      new ProcessBuilder("sh", "-c", "kill -%s %d".formatted(signal, pid)).start();
    }
  }

  /** As a writer would after its commit. */
  void ring() throws SQLException {
    if (arm.hasDoorbell()) {
      database.execute("notify outbox");
    }
  }

  Meter meter() throws SQLException {
    return Meter.start(bench.servers(), database, relays, arm.role());
  }

  /** Returns once the topic has as many records as were written. */
  void awaitAll() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (records() < written) {
      if (System.nanoTime() > deadline) {
        return; // the delivery will tell what is missing
      }
      TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
    }
  }

  private long records() throws InterruptedException {
    try {
      return admin
          .listOffsets(
              IntStream.range(0, Servers.PARTITIONS)
                  .boxed()
                  .collect(
                      Collectors.toMap(
                          n -> new TopicPartition(topic, n), n -> OffsetSpec.latest())))
          .all()
          .get()
          .values()
          .stream()
          .mapToLong(each -> each.offset())
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker does not tell its offsets", e);
    }
  }

  /** Returns once nothing waits in the arm's table any more, where the arm empties it. */
  void awaitSettled() throws SQLException, InterruptedException {
    if (!arm.emptiesItsTable()) {
      return;
    }
    String unsettled =
        switch (arm.table()) {
          case OUTBOX_EVENT -> "select count(*) from (select from outbox_event limit 1) one";
          case OUTBOX ->
              "select count(*) from (select from outbox where published_at is null limit 1) one";
          case OUTBOX_RECORD ->
              "select count(*) from (select from outbox_record where status = 'NEW' limit 1) one";
        };
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (database.number(unsettled) > 0 && System.nanoTime() < deadline) {
      TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
    }
  }

  Delivery delivery() {
    return Delivery.read(bench.servers(), topic, shape, written);
  }

  /** Refuses the sample if the delivery was not what the arm promises. */
  void judge(Delivery delivery, Sample sample) {
    if (delivery.lost() > 0) {
      sample.refuse("%d of %d events did not arrive".formatted(delivery.lost(), written));
    }
    if (delivery.strangers() > 0) {
      sample.refuse("%d records nobody has written".formatted(delivery.strangers()));
    }
    if (arm.inOrder() && delivery.inversions() > 0) {
      sample.refuse("%d events out of order within their key".formatted(delivery.inversions()));
    }
  }

  Database database() {
    return database;
  }

  Shape shape() {
    return shape;
  }

  Arm arm() {
    return arm;
  }

  List<JavaProcess> relays() {
    return relays;
  }

  /** A statement that inserts one event. */
  PreparedStatement insertion(Connection connection) throws SQLException {
    return arm.table().insertion(connection);
  }

  @Override
  public void close() throws IOException {
    signal("CONT");
    try {
      Files.writeString(
          bench.servers().folder().resolve("%s-%s-statements.txt".formatted(arm.name(), topic)),
          database.dearest(arm.role()));
    } catch (SQLException e) {
      throw new IOException("PostgreSQL does not tell its statements", e);
    }
    relays.forEach(ServerProcess::kill);
    admin.close();
    bench.servers().deleteTopic(topic);
  }
}
