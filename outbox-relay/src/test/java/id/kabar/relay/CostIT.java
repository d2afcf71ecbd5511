package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What looking at the outbox costs: its plans, and pages, as a busy machine does not matter to
 * these.
 */
class CostIT {

  private static final int EVENTS = Integer.getInteger("kabar.cost.events", 100_000);
  private static final Pattern PAGES =
      Pattern.compile("Buffers: shared hit=(\\d+)(?: read=(\\d+))?");

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();

  @Test
  void claimUnderAHeldSnapshotCostsAsMuchAsWithout() throws SQLException {
    RelaySettings settings = Settings.of("routes.OrderPaid", topic.name());
    try (Connection dump = outbox.owner().connect();
        Statement snapshot = dump.createStatement();
        GivenRelay relay = new GivenRelay(outbox, settings).start()) {
      dump.setAutoCommit(false);
      dump.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      snapshot.executeQuery("select count(*) from outbox_event").close();
      outbox.appendMany(1000, EVENTS / 2000);
      await().atMost(Duration.ofMinutes(1)).until(() -> outbox.pending() == 0);
      outbox.appendMany(1000, EVENTS / 2000);
      await().atMost(Duration.ofMinutes(1)).until(() -> outbox.pending() == 0);
      await().until(() -> !relay.watermarks.wantSample());
      outbox.appendMany(1000, 1);
      await().atMost(Duration.ofMinutes(1)).until(() -> outbox.pending() == 0);

      // starts() may hold a bucket that is swept from zero: dear, and due every 150 ms only
      long withWatermarks = pagesOfLock(relay.watermarks.glance());
      long fromZero = pagesOfLock(Watermarks.Starts.AT_ZERO);

      System.out.printf(
          "claim under a held snapshot: %d pages, from zero %d%n", withWatermarks, fromZero);
      assertThat(withWatermarks).isLessThan(1500);
      assertThat(fromZero).as("what the watermarks save").isGreaterThan(4 * withWatermarks);
    }
  }

  @Test
  void claimAndMeasurementCostTheSameHoweverMuchWaits() throws SQLException {
    outbox.appendMany(1000, EVENTS / 1000);
    outbox.execute("vacuum analyze outbox_event");

    assertThat(pagesOfLock(Watermarks.Starts.AT_ZERO)).isLessThan(1500);
    assertThat(pages(OutboxSql.DEPTH, new long[64], new long[64], new long[64]))
        .as("200 index entries of each bucket, and its head")
        .isLessThan(64 * 250);
  }

  @Test
  void backlogBehindAParkedEventIsLookedThroughOnceAndCostsNoLaterClaim() throws SQLException {
    String held = outbox.keyInBucket(5);
    outbox.append("OrderShipped", held, "{}"); // no route
    outbox.execute(
        """
        insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)
        select 'Order', '%s', 'OrderPaid', '{}' from generate_series(1, %d)
        """
            .formatted(held, EVENTS));
    outbox.execute("vacuum analyze outbox_event");
    String neighbour = outbox.neighbourInBucket(5);
    RelaySettings settings = Settings.of("routes.OrderPaid", topic.name());
    try (GivenRelay relay = new GivenRelay(outbox, settings).start()) {
      outbox.append(neighbour);
      await().atMost(Duration.ofMinutes(1)).until(() -> outbox.archived() == 1);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> relay.watermarks.glance().positions()[5] > EVENTS);
      for (int i = 0; i < 20; i++) {
        outbox.append(neighbour);
      }
      await().atMost(Duration.ofMinutes(1)).until(() -> outbox.archived() == 21);

      Watermarks.Starts starts = relay.watermarks.glance();
      long passed = pagesOfLock(starts);
      long walked =
          pagesOfLock(new Watermarks.Starts(new long[64], new long[64], Integer.MAX_VALUE));
      System.out.printf(
          "claim behind %d held events: %d pages, once looked through %d%n",
          EVENTS, walked, passed);
      assertThat(passed).isLessThan(1500);
      assertThat(pagesOfLock(Watermarks.Starts.AT_ZERO)).as("from zero").isLessThan(10_000);
      assertThat(walked).as("what the watermark saves").isGreaterThan(EVENTS);
      assertThat(outbox.pending()).isEqualTo(EVENTS + 1);
      await().until(() -> relay.metrics.depth().parked() == 1);
    }
  }

  private long pagesOfLock(Watermarks.Starts starts) throws SQLException {
    return pages(
        OutboxSql.LOCK,
        starts.released(),
        starts.positions(),
        starts.lookOver(),
        starts.lookOver(),
        "8");
  }

  @Test
  void backlogDrainsInASmallHeap() {
    outbox.appendMany(10_000, EVENTS / 10_000);
    try (RelayProcess relay =
        RelayProcess.start(outbox, "relay.routes.OrderPaid=" + topic.name())) {
      await().atMost(Duration.ofMinutes(5)).until(() -> outbox.pending() == 0);
      assertThat(relay.isAlive()).isTrue();
      assertThat(relay.log()).doesNotContain("OutOfMemory");
    }
    assertThat(outbox.archived()).isEqualTo(EVENTS);
  }

  private long pages(String sql, Object... parameters) throws SQLException {
    String literal = sql;
    for (Object parameter : parameters) {
      String text =
          parameter instanceof long[] starts
              ? "'{"
                  + Arrays.stream(starts).mapToObj(Long::toString).collect(Collectors.joining(","))
                  + "}'"
              : parameter.toString();
      literal = literal.replaceFirst("\\?", text);
    }
    try (Connection connection = simpleSession();
        Statement statement = connection.createStatement()) {
      long pages = 0;
      for (int run = 0; run < 2; run++) { // the second has everything in memory
        try (ResultSet rows = statement.executeQuery("explain (analyze, buffers) " + literal)) {
          rows.next(); // the top node
          rows.next();
          Matcher buffers = PAGES.matcher(rows.getString(1));
          assertThat(buffers.find()).isTrue();
          pages =
              Long.parseLong(buffers.group(1))
                  + (buffers.group(2) == null ? 0 : Long.parseLong(buffers.group(2)));
        }
      }
      return pages;
    }
  }

  @Test
  void plansNeverReadTheWholeTableHoweverItLooked() throws SQLException {
    assertPlansUseIndexes("empty, never analyzed");
    outbox.execute("analyze outbox_event");
    assertPlansUseIndexes("empty, analyzed");
    outbox.appendMany(1000, 20);
    assertPlansUseIndexes("grown since");
    outbox.execute("analyze outbox_event");
    assertPlansUseIndexes("full");
    outbox.execute("update outbox_event set attempts = 1 where position % 100 = 0");
    outbox.execute("analyze outbox_event");
    assertPlansUseIndexes("with refused events");
  }

  private void assertPlansUseIndexes(String state) throws SQLException {
    for (String sql : List.of(OutboxSql.LOCK, OutboxSql.READ, OutboxSql.SETTLE, OutboxSql.DEPTH)) {
      assertThat(plan(sql))
          .as("%s: %s", state, sql)
          .doesNotContain("Seq Scan on outbox_event")
          .doesNotContain("Bitmap");
    }
    for (String sql : List.of(OutboxSql.LOCK, OutboxSql.READ, OutboxSql.DEPTH)) {
      assertThat(plan(sql))
          .as(state)
          .contains("using outbox_event_refused", "using outbox_event_retried");
    }
  }

  /** The plan that a session keeps, whatever the parameters will be. */
  private String plan(String sql) throws SQLException {
    Matcher marks = Pattern.compile("\\?").matcher(sql);
    int[] n = {0};
    String numbered = marks.replaceAll(mark -> "\\$" + ++n[0]);
    try (Connection connection = simpleSession();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("explain (generic_plan) " + numbered)) {
      StringBuilder plan = new StringBuilder();
      while (rows.next()) {
        plan.append(rows.getString(1)).append('\n');
      }
      return plan.toString();
    }
  }

  /** Plans as a relay's sessions do, and takes parameters as they stand in the text. */
  private Connection simpleSession() throws SQLException {
    Properties simple = new Properties();
    simple.setProperty("user", outbox.relay().user());
    simple.setProperty("password", outbox.relay().password());
    simple.setProperty("preferQueryMode", "simple");
    Connection connection = DriverManager.getConnection(outbox.relay().jdbcUrl(), simple);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off");
    }
    return connection;
  }
}
