package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A relay whose database lies behind a real PgBouncer; needs Debian's package pgbouncer. */
class PgBouncerIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();

  @Test
  void relayBehindATransactionPoolFindsItsDoorbellDeafAndRelaysAllTheSame() {
    Optional<Path> program = PgBouncer.program();
    assumeThat(program)
        .as("no pgbouncer to be found, install the package: apt-get install pgbouncer")
        .isPresent();
    RelaySettings settings =
        Settings.of(
            "routes.OrderPaid", topic.name(), "doorbell.test", "1s", "doorbell.patience", "500ms");
    try (PgBouncer bouncer = PgBouncer.start(program.orElseThrow(), outbox.relay(), "transaction");
        GivenRelay relay = new GivenRelay(outbox.through(bouncer.jdbcUrl()), settings).start()) {
      await().atMost(PATIENCE).until(() -> relay.metrics.deaf());
      for (int i = 0; i < 3; i++) {
        outbox.append("a");
        await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
      }
      assertThat(topic.ids()).hasSize(3);
      assertThat(relay.database.silence()).isNull();

      bouncer.restart("session");

      await().atMost(PATIENCE).until(() -> !relay.metrics.deaf());
      outbox.append("a");
      await().atMost(PATIENCE).until(() -> outbox.pending() == 0);
    }
  }
}
