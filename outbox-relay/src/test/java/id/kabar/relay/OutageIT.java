package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import id.kabar.testservers.TestKafka;
import id.kabar.testservers.TestPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Servers that go away, hang, or are not there yet. */
class OutageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String[] QUICK = {
    "timeouts.max-block", "500ms",
    "timeouts.delivery", "1s",
    "timeouts.round", "1500ms",
    "timeouts.session", "5s"
  };

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();

  @Test
  void brokerOutageCountsNoAttemptAndParksNothing() {
    try (GivenRelay relay = new GivenRelay(outbox, quick()).start()) {
      UUID before = outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);

      TestKafka.shared().stop();
      List<UUID> during;
      try {
        during = IntStream.range(0, 50).mapToObj(i -> outbox.append("key-" + i % 5)).toList();
        await().atMost(PATIENCE).until(() -> relay.broker.silence() != null);
        await().pollDelay(Duration.ofSeconds(5)).until(() -> true); // several times the ladder
        assertThat(outbox.number("select sum(attempts) from outbox_event")).isZero();
        assertThat(outbox.parked()).isZero();
        assertThat(outbox.pending()).isEqualTo(50);
      } finally {
        TestKafka.shared().start();
      }

      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      assertThat(topic.ids()).contains(before).containsAll(during);
      assertThat(outbox.number("select count(*) from outbox_archive where id is null")).isZero();
      Map<String, List<UUID>> arrivals = GivenTopic.firstArrivals(topic.messages());
      for (int key = 0; key < 5; key++) {
        int k = key;
        assertThat(arrivals.get("key-" + key))
            .isEqualTo(
                IntStream.range(0, 50).filter(i -> i % 5 == k).mapToObj(during::get).toList());
      }
      await().atMost(PATIENCE).until(() -> relay.broker.silence() == null);
    }
  }

  @Test
  void hungBrokerNeverHoldsARoundLongerThanTheLadderSays() {
    try (GivenRelay relay = new GivenRelay(outbox, quick()).start();
        FrozenKafka kafka = FrozenKafka.orSkip()) {
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      kafka.freeze();
      for (int i = 0; i < 20; i++) {
        outbox.append("key-" + i);
      }
      await().atMost(PATIENCE).until(() -> relay.broker.silence() != null);

      assertThat(relay.meters.timer("outbox.publish").max(TimeUnit.MILLISECONDS)).isLessThan(3000);
      assertThat(outbox.number("select sum(attempts) from outbox_event")).isZero();

      kafka.thaw();
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
    }
  }

  @Test
  void stopEndsWithinTenSecondsThoughTheBrokerHangs() {
    outbox.append("warm-up");
    try (RelayProcess relay = RelayProcess.start(outbox, "relay.routes.OrderPaid=" + topic.name());
        FrozenKafka kafka = FrozenKafka.orSkip()) {
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      kafka.freeze();
      UUID open = outbox.append("a");
      await().atMost(PATIENCE).until(() -> TestSessions.inARound(outbox) > 0);

      assertThat(relay.terminate(Duration.ofSeconds(30))).isLessThan(Duration.ofSeconds(10));

      kafka.thaw();
      assertThat(outbox.texts("select id from outbox_event")).containsExactly(open.toString());
      assertThat(TestSessions.inARound(outbox)).isZero();
    }
  }

  @Test
  void stopUnderLoadSettlesWhatWasSent() {
    outbox.appendMany(500, 40);
    try (RelayProcess relay =
        RelayProcess.start(outbox, "relay.routes.OrderPaid=" + topic.name())) {
      await().atMost(PATIENCE).until(() -> outbox.archived() > 0);

      assertThat(relay.terminate(Duration.ofSeconds(30))).isLessThan(Duration.ofSeconds(10));

      assertThat(relay.log()).contains("All rounds have ended, all buckets are free");
    }
    assertThat(topic.messages()).hasSize((int) outbox.archived());
  }

  @Test
  void relayOutlivesAnOutageOfTheDatabase() {
    try (GivenRelay relay = new GivenRelay(outbox, quick()).start()) {
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);

      TestPostgres.shared().stop();
      try {
        await().atMost(PATIENCE).until(() -> relay.database.silence() != null);
        assertThat(relay.watermarks.safePosition()).as("another server may answer next").isZero();
      } finally {
        TestPostgres.shared().start();
      }

      UUID after = outbox.append("a");
      await().atMost(PATIENCE).until(() -> topic.ids().contains(after));
      await().atMost(PATIENCE).until(() -> relay.database.silence() == null);
    }
  }

  @Test
  void relayWaitsForTheTablesAndSaysSo() {
    GivenOutbox early = GivenOutbox.withoutTables();
    try (GivenRelay relay = new GivenRelay(early, quick()).start()) {
      await().atMost(PATIENCE).until(() -> relay.database.silence() != null);
      assertThat(relay.database.silence().reason()).contains("the outbox tables are not there yet");

      early.migrate();
      early.append("a");

      await().atMost(PATIENCE).until(() -> early.pending() == 0);
    }
  }

  @Test
  void relayStartsWithoutABroker() throws IOException {
    outbox.append("a");
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Map<String, Object> nobody = Map.of("bootstrap.servers", "localhost:" + port);
    try (GivenRelay relay = new GivenRelay(outbox, quick(), nobody).start()) {
      await().atMost(PATIENCE).until(() -> relay.broker.silence() != null);

      assertThat(relay.topics.reachable()).isFalse();
      assertThat(TestSessions.inARound(outbox)).as("no lock is held meanwhile").isZero();
      assertThat(outbox.number("select sum(attempts) from outbox_event")).isZero();
    }
  }

  private RelaySettings quick() {
    String[] settings = new String[QUICK.length + 2];
    System.arraycopy(QUICK, 0, settings, 0, QUICK.length);
    settings[QUICK.length] = "routes.OrderPaid";
    settings[QUICK.length + 1] = topic.name();
    return Settings.of(settings);
  }

  /** The broker's process, stopped by a signal: connections stay, answers do not come. */
  private record FrozenKafka(ProcessHandle broker) implements AutoCloseable {

    static FrozenKafka orSkip() {
      TestKafka.shared();
      List<ProcessHandle> brokers =
          ProcessHandle.current()
              .descendants()
              .filter(
                  p -> p.info().commandLine().orElse("").toLowerCase(Locale.ROOT).contains("kafka"))
              .filter(p -> !p.info().commandLine().orElse("").contains("OutboxRelayApplication"))
              .toList();
      assumeThat(brokers).as("a broker that is a process of ours").hasSize(1);
      return new FrozenKafka(brokers.getFirst());
    }

    void freeze() {
      signal("-STOP");
    }

    void thaw() {
      signal("-CONT");
    }

    private void signal(String signal) {
      try {
        new ProcessBuilder("kill", signal, Long.toString(broker.pid())).start().waitFor();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      thaw();
    }
  }
}
