package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Random histories of appends, rollbacks, late commits, crashes, refusals and outages on a real
 * database and a broker that fails at will. Whatever happens: nothing is lost, nothing is settled
 * that was not confirmed, and the events of an aggregate first arrive in the order of their
 * commits. The seed is printed; {@code -Dkabar.history.seed} repeats one history.
 *
 * <p>Changes to the relay that these histories have caught: settling what was not confirmed,
 * sending on after a failed event of the same aggregate, reading an event behind a parked one, a
 * watermark that takes the newest finished transaction for the newest. Two are caught by {@code
 * OutboxIT}: reading with a snapshot that is no younger than the locks, as one statement for both
 * would, and not comparing the count of what was settled. One is caught by {@code LateCommitIT}: a
 * watermark that outlives the departure of a refused event it had passed.
 */
class HistoryIT {

  private static final int STEPS = Integer.getInteger("kabar.history.steps", 300);
  private static final int KEYS = 6;
  private static final List<FickleBroker.Mood> MOODS = List.of(FickleBroker.Mood.values());

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final List<String> keys = keysOfTwoBuckets();
  private final FickleBroker broker = new FickleBroker();
  private final Watermarks watermarks = new Watermarks(() -> 0); // no sweep hides a mistake
  private final RelaySettings settings =
      Settings.of("routes.OrderPaid", "t", "buckets", "1", "batch.size", "7");
  private final GivenRelay given = new GivenRelay(outbox, settings);
  private final List<Open> relays = new ArrayList<>();
  private final Map<String, Connection> writing = new LinkedHashMap<>();
  private final Map<String, List<UUID>> uncommitted = new HashMap<>();
  private final Map<String, List<UUID>> committed = new HashMap<>();
  private final Set<UUID> discarded = new HashSet<>();
  private Random random = new Random();
  private boolean crashing;

  /** One relay with its session. */
  private record Open(Outbox session, Publisher publisher, OutboxRelay relay) {}

  @RepeatedTest(8)
  void historyEndsWithEveryCommittedEventInOrderAndNothingElse(RepetitionInfo repetition)
      throws SQLException {
    long seed =
        Long.getLong("kabar.history.seed", System.nanoTime() + repetition.getCurrentRepetition());
    System.out.println("kabar.history.seed=" + seed);
    random = new Random(seed);
    broker.seed(seed);
    try {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      finish();
      assertHistory("seed " + seed);
    } finally {
      for (Connection connection : writing.values()) {
        connection.close();
      }
      given.close();
    }
  }

  private void step() throws SQLException {
    switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> append();
      case 4, 5 -> end(true);
      case 6 -> end(false);
      case 7, 8, 9 -> round();
      case 10 -> crash();
      case 11 -> sample();
      case 12 -> broker.turn(MOODS.get(random.nextInt(MOODS.size())));
      default -> makeRefusedDue();
    }
  }

  /** Writers of one aggregate take turns, so each key has one open transaction at most. */
  private void append() throws SQLException {
    String key = keys.get(random.nextInt(keys.size()));
    Connection connection = writing.get(key);
    if (connection == null) {
      connection = outbox.owner().connect();
      connection.setAutoCommit(false);
      writing.put(key, connection);
    }
    UUID id = GivenOutbox.append(connection, "OrderPaid", key, "{}");
    uncommitted.computeIfAbsent(key, k -> new ArrayList<>()).add(id);
  }

  private void end(boolean commit) throws SQLException {
    if (writing.isEmpty()) {
      return;
    }
    List<String> open = new ArrayList<>(writing.keySet());
    String key = open.get(random.nextInt(open.size()));
    try (Connection connection = writing.remove(key)) {
      List<UUID> ids = uncommitted.remove(key);
      if (commit) {
        connection.commit();
        committed.computeIfAbsent(key, k -> new ArrayList<>()).addAll(ids);
      } else {
        connection.rollback();
      }
    }
  }

  private void round() throws SQLException {
    while (relays.size() < 2) {
      relays.add(open());
    }
    Open relay = relays.get(random.nextInt(relays.size()));
    broker.onNextAnswer(relay.session(), crashing);
    try {
      relay.relay().relayOnce();
    } catch (SQLException e) {
      relays.remove(relay);
      close(relay);
    }
    assertThat(broker.confirmed()).containsAll(archived());
  }

  /** The relay is gone after the broker's first confirmation and before its own settlement. */
  private void crash() throws SQLException {
    crashing = true;
    round();
    crashing = false;
  }

  private List<UUID> archived() {
    return outbox.texts("select id from outbox_archive").stream().map(UUID::fromString).toList();
  }

  private Open open() throws SQLException {
    Outbox session = outbox.session();
    EventRecords records =
        new EventRecords(settings, topic -> new Topics.Topic(Integer.MAX_VALUE, null), false);
    Publisher publisher = new Publisher(broker::connect, records, settings.timeouts().round());
    return new Open(
        session,
        publisher,
        new OutboxRelay(session, publisher, watermarks, given.broker, given.metrics, settings));
  }

  private static void close(Open relay) throws SQLException {
    relay.publisher().close();
    relay.session().close();
  }

  private void sample() throws SQLException {
    try (Connection connection = outbox.relay().connect()) {
      watermarks.sample(new Upkeep(connection));
    }
  }

  private void makeRefusedDue() {
    outbox.execute(
        "update outbox_event set due_at = now() where attempts > 0 and parked_at is null");
    if (random.nextInt(4) == 0) {
      outbox.execute(
          "update outbox_event set attempts = 0, parked_at = null, due_at = null where parked_at is"
              + " not null");
    }
    if (random.nextInt(8) == 0) {
      outbox
          .texts("delete from outbox_event where parked_at is not null returning id")
          .forEach(id -> discarded.add(UUID.fromString(id)));
    }
  }

  /** All is well at last: what is open is committed, and everything flows. */
  private void finish() throws SQLException {
    while (!writing.isEmpty()) {
      end(true);
    }
    broker.turn(FickleBroker.Mood.WELL);
    for (int round = 0; round < 1000 && outbox.pending() > 0; round++) {
      outbox.execute(
          "update outbox_event set attempts = 0, parked_at = null, due_at = null where attempts >"
              + " 0");
      round();
      sample();
    }
    for (Open relay : relays) {
      close(relay);
    }
  }

  private void assertHistory(String seed) {
    assertThat(outbox.pending()).as(seed).isZero();
    Map<String, List<UUID>> expected = new HashMap<>();
    committed.forEach(
        (key, ids) ->
            expected.put(key, ids.stream().filter(id -> !discarded.contains(id)).toList()));
    Map<String, List<UUID>> arrived = broker.firstArrivals();
    discarded.forEach(id -> arrived.values().forEach(ids -> ids.remove(id)));
    assertThat(arrived).as(seed).containsAllEntriesOf(expected).hasSameSizeAs(expected);
    assertThat(outbox.texts("select id from outbox_archive"))
        .as("%s: settled once each, and only what was confirmed", seed)
        .containsExactlyInAnyOrderElementsOf(
            expected.values().stream().flatMap(List::stream).map(UUID::toString).toList());
  }

  /** So few that events of several keys share a bucket. */
  private List<String> keysOfTwoBuckets() {
    return outbox.texts(
        "select 'k-' || n from generate_series(1, 5000) n where (hashtextextended('k-' || n, 0) &"
            + " 63) in (3, 4) limit "
            + KEYS);
  }
}
