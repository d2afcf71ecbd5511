package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import id.kabar.relay.GivenTopic.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Real relay processes, killed and frozen at the worst moments. */
class CrashIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int KEYS = Integer.getInteger("kabar.crash.keys", 1000);
  private static final int PER_KEY = Integer.getInteger("kabar.crash.events-per-key", 50);

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();
  private final String route = "relay.routes.OrderPaid=" + topic.name();

  @Test
  void relayKilledAfterTheSendAndBeforeTheSettlementRepeatsTheEventAndLosesNothing()
      throws SQLException {
    UUID id = outbox.append("a");
    try (Connection someone = outbox.owner().connect();
        Statement lock = someone.createStatement()) {
      someone.setAutoCommit(false);
      lock.execute("select from outbox_event for update"); // the settlement has to wait for us
      try (RelayProcess doomed = RelayProcess.start(outbox, route)) {
        await().atMost(PATIENCE).until(() -> topic.ids().size() == 1);
        doomed.kill();
      }
      someone.rollback();
    }
    assertThat(outbox.pending()).isEqualTo(1);

    try (GivenRelay other = relay().start()) {
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      assertThat(other.broker.silence()).isNull();
    }
    assertThat(topic.ids()).containsExactly(id, id);
    assertThat(outbox.archived()).isEqualTo(1);
  }

  @Test
  void bucketsOfAKilledRelayAreTakenOverAtOnce() throws SQLException {
    outbox.append("a");
    try (Connection someone = outbox.owner().connect();
        Statement lock = someone.createStatement();
        GivenRelay other = relay()) {
      someone.setAutoCommit(false);
      lock.execute("select from outbox_event for update");
      RelayProcess doomed = RelayProcess.start(outbox, route);
      await().atMost(PATIENCE).until(() -> topic.ids().size() == 1);
      doomed.kill();
      someone.rollback();

      other.start();
      long start = System.nanoTime();
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> outbox.pending() == 0);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void frozenRelayLosesItsBucketsAndItsLateSettlementChangesNothing() throws SQLException {
    List<UUID> ids = new ArrayList<>();
    ids.add(outbox.append("a"));
    try (RelayProcess frozen =
            RelayProcess.start(
                outbox,
                route,
                "relay.timeouts.max-block=500ms",
                "relay.timeouts.delivery=1s",
                "relay.timeouts.round=1500ms",
                "relay.timeouts.session=2s");
        Connection someone = outbox.owner().connect();
        Statement lock = someone.createStatement()) {
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      someone.setAutoCommit(false);
      lock.execute("lock table outbox_archive in exclusive mode"); // holds up the settlement alone
      ids.add(outbox.append("a"));
      await().atMost(PATIENCE).until(() -> topic.ids().size() == 2);
      frozen.freeze();
      TestSessions.terminateRelays(outbox, 10); // its statement waits for us, so no silence ends it
      someone.rollback();

      try (GivenRelay successor = relay().start()) {
        ids.add(outbox.append("a"));
        await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
        assertThat(outbox.archived()).isEqualTo(3);

        frozen.thaw();
        ids.add(outbox.append("a"));
        await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
        assertThat(successor.broker.silence()).isNull();
      }
      await().atMost(PATIENCE).until(() -> frozen.logged("answers again"));
    }
    assertThat(outbox.archived()).as("each event once").isEqualTo(4);
    assertThat(GivenTopic.firstArrivals(topic.messages()).get("a")).isEqualTo(ids);
  }

  @Test
  void relayFrozenInTheMiddleOfARoundIsEndedByItsSilence() {
    outbox.appendMany(2000, 50);
    String[] quick = {
      route,
      "relay.timeouts.max-block=500ms",
      "relay.timeouts.delivery=1s",
      "relay.timeouts.round=1500ms",
      "relay.timeouts.session=2s",
      "relay.batch.size=20",
      "relay.batch.max-size=20"
    };
    try (RelayProcess frozen = RelayProcess.start(outbox, quick)) {
      await()
          .atMost(PATIENCE)
          .until(() -> outbox.archived() > 0 && TestSessions.inARound(outbox) > 0);
      frozen.freeze();
      try (GivenRelay successor = relay().start()) {
        await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
        frozen.thaw();
        UUID last = outbox.append("last");
        await().atMost(PATIENCE).until(() -> topic.ids().contains(last) && outbox.pending() == 0);
        assertThat(successor.broker.silence()).isNull();
      }
      assertThat(frozen.isAlive()).isTrue();
    }
    assertThat(outbox.archived()).isEqualTo(100_001);
    assertOrder(topic.messages(), 2000, 50);
  }

  @Test
  void threeRelaysKilledAtRandomLoseNothingAndKeepTheOrderOfEveryKey() {
    long seed = Long.getLong("kabar.crash.seed", System.nanoTime());
    System.out.println("kabar.crash.seed=" + seed);
    Random random = new Random(seed);
    List<RelayProcess> relays =
        new ArrayList<>(
            IntStream.range(0, 3)
                .mapToObj(i -> RelayProcess.launch(outbox, route, "relay.batch.max-size=500"))
                .toList());
    try {
      int appended = 0;
      for (int n = 1; n <= PER_KEY; n++) {
        append(n);
        appended += KEYS;
        if (n % 10 == 0) {
          int total = appended;
          await().atMost(PATIENCE.multipliedBy(2)).until(() -> outbox.archived() > total / 2);
          int victim = random.nextInt(relays.size());
          relays.get(victim).kill();
          relays.set(victim, RelayProcess.launch(outbox, route));
        }
      }
      await().atMost(PATIENCE.multipliedBy(3)).until(() -> outbox.pending() == 0);
    } finally {
      relays.forEach(RelayProcess::close);
    }
    List<Message> messages = topic.messages();
    System.out.printf("%d events, %d repeats%n", KEYS * PER_KEY, messages.size() - KEYS * PER_KEY);
    assertOrder(messages, KEYS, PER_KEY);
    assertThat(outbox.archived()).isEqualTo((long) KEYS * PER_KEY);
    assertThat(outbox.parked()).isZero();
  }

  private void append(int n) {
    outbox.execute(
        """
        insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)
        select 'Order', 'key-' || k, 'OrderPaid', json_build_object('key', 'key-' || k, 'n', %d)
        from generate_series(1, %d) k
        """
            .formatted(n, KEYS));
  }

  /** All came, and, once repeats are removed, in the order of their numbers. */
  private static void assertOrder(List<Message> messages, int keys, int perKey) {
    Map<UUID, Integer> numbers = new HashMap<>();
    for (Message message : messages) {
      if (!message.key().equals("last")) {
        numbers.put(
            message.id(), Integer.parseInt(message.value().replaceAll(".*\"n\" : (\\d+).*", "$1")));
      }
    }
    Map<String, List<UUID>> arrivals = GivenTopic.firstArrivals(messages);
    arrivals.remove("last");
    List<Integer> expected = IntStream.rangeClosed(1, perKey).boxed().toList();
    assertThat(arrivals).hasSize(keys);
    assertThat(arrivals)
        .allSatisfy(
            (key, ids) -> assertThat(ids.stream().map(numbers::get).toList()).isEqualTo(expected));
    assertThat(Collections.max(numbers.values())).isEqualTo(perKey);
  }

  private GivenRelay relay() {
    return new GivenRelay(outbox, Settings.of("routes.OrderPaid", topic.name()));
  }
}
