package id.kabar.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A transaction that drew its position early and commits late. The watermarks' clock stands still
 * here, so that no sweep can hide a watermark that went too far.
 */
class LateCommitIT {

  private final GivenOutbox outbox = GivenOutbox.fresh();
  private final GivenTopic topic = GivenTopic.fresh();
  private final GivenRelay given =
      new GivenRelay(outbox, Settings.of("routes.OrderPaid", topic.name()));
  private final Watermarks watermarks = new Watermarks(() -> 0);
  private final String key = outbox.keyInBucket(7);
  private Connection late;
  private Outbox session;
  private Publisher publisher;
  private OutboxRelay relay;

  @BeforeEach
  void begin() throws SQLException {
    late = outbox.owner().connect();
    late.setAutoCommit(false);
    session = outbox.session();
    publisher = given.publisher();
    relay = relay(publisher);
  }

  @AfterEach
  void end() throws SQLException {
    late.close();
    publisher.close();
    session.close();
    given.close();
  }

  @Test
  void lateCommitterIsPublishedThoughAYoungerPositionWasPublishedBefore() throws SQLException {
    UUID early = GivenOutbox.append(late, "OrderPaid", key, "{}");
    sampleTwice(); // while the late one is the youngest transaction there is
    UUID quick = outbox.append(key + "-other");
    UUID quickSameBucket = appendToBucket7();
    relayAll();
    sampleTwice();
    UUID more = appendToBucket7();
    relayAll();

    late.commit();
    relayAll();

    assertThat(topic.ids()).containsExactlyInAnyOrder(early, quick, quickSameBucket, more);
  }

  @Test
  void eventThatCommitsWhileARoundIsUnderWayIsNotPassedOver() throws SQLException {
    UUID early = GivenOutbox.append(late, "OrderPaid", key, "{}");
    UUID quick = appendToBucket7();
    sampleTwice(); // both positions are marked, and safe once the late one is over
    Publisher slow =
        new Publisher(
            () -> {
              commitLateAndSample();
              return given.producer();
            },
            given.records(),
            Settings.defaults().timeouts().round());
    relay(slow).relayOnce();
    slow.close();
    assertThat(topic.ids()).containsExactly(quick);

    relayAll();

    assertThat(topic.ids()).containsExactlyInAnyOrder(early, quick);
  }

  @Test
  void eventsOfOneAggregateKeepTheOrderOfTheirCommits() throws SQLException {
    // as an order's row lock makes it: the second writer of a key waits for the first
    UUID first = GivenOutbox.append(late, "OrderPaid", key, "{}");
    sampleTwice();
    appendToBucket7();
    relayAll();
    sampleTwice();
    late.commit();
    UUID second = outbox.append(key);
    sampleTwice();
    relayAll();

    assertThat(GivenTopic.firstArrivals(topic.messages()).get(key)).containsExactly(first, second);
  }

  @Test
  void rolledBackTransactionHoldsNothingUp() throws SQLException {
    GivenOutbox.append(late, "OrderPaid", key, "{}");
    UUID quick = appendToBucket7();
    relayAll();
    late.rollback();
    sampleTwice();
    UUID after = appendToBucket7();
    sampleTwice();
    relayAll();

    assertThat(topic.ids()).containsExactlyInAnyOrder(quick, after);
    assertThat(watermarks.starts().positions()[7])
        .isEqualTo(outbox.number("select max(position) from outbox_archive"));
  }

  @Test
  void eventsOfAnAggregateKeepTheirOrderThoughTheWatermarkPassedAParkedOne() throws SQLException {
    UUID parked = outbox.append("OrderShipped", key, "{}"); // no route
    UUID held = outbox.append(key);
    UUID free = appendToBucket7();
    sampleTwice();
    relayAll();
    assertThat(topic.ids()).containsExactly(free);
    passWhatIsThere();

    UUID later = outbox.append(key);
    outbox.execute(
        "update outbox_event set event_type = 'OrderPaid', attempts = 0, parked_at = null, due_at = null where attempts > 0");
    relayAll();

    assertThat(GivenTopic.firstArrivals(topic.messages()).get(key))
        .containsExactly(parked, held, later);
  }

  @Test
  void eventsOfAnAggregateKeepTheirOrderThoughTheWatermarkPassedARefusedOne() throws SQLException {
    UUID refused = outbox.append("OrderShipped", key, "{}"); // no route
    UUID held = outbox.append(key);
    relayAll();
    outbox.execute(
        "update outbox_event set event_type = 'OrderPaid', parked_at = null, due_at = now() + interval '1 hour' where attempts > 0");
    passWhatIsThere();

    UUID later = outbox.append(key);
    outbox.execute("update outbox_event set due_at = now() where attempts > 0");
    relayAll();

    assertThat(GivenTopic.firstArrivals(topic.messages()).get(key))
        .containsExactly(refused, held, later);
  }

  @Test
  void discardedEventFreesWhatTheWatermarkPassedWithIt() throws SQLException {
    outbox.append("OrderShipped", key, "{}"); // no route
    UUID held = outbox.append(key);
    passWhatIsThere();

    UUID later = outbox.append(key);
    outbox.execute("delete from outbox_event where parked_at is not null");
    relayAll();

    assertThat(GivenTopic.firstArrivals(topic.messages()).get(key)).containsExactly(held, later);
  }

  private OutboxRelay relay(Publisher publisher) {
    return new OutboxRelay(
        session, publisher, watermarks, given.broker, given.metrics, given.settings());
  }

  private void relayAll() throws SQLException {
    for (int round = 0; round < 100; round++) {
      if (relay.relayOnce() == Pace.IDLE) {
        return;
      }
    }
  }

  private UUID appendToBucket7() {
    return outbox.append(outbox.neighbourInBucket(7));
  }

  /** Something else flows through the bucket, and the watermark goes with it. */
  private void passWhatIsThere() throws SQLException {
    relayAll();
    appendToBucket7();
    sampleTwice();
    relayAll();
    assertThat(watermarks.starts().positions()[7])
        .isEqualTo(outbox.number("select max(position) from outbox_archive"));
  }

  private void sampleTwice() throws SQLException {
    try (Connection connection = outbox.relay().connect()) {
      Upkeep sampler = new Upkeep(connection);
      watermarks.sample(sampler);
      watermarks.sample(sampler);
      watermarks.sample(sampler);
    }
  }

  private void commitLateAndSample() {
    try {
      late.commit();
      sampleTwice();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
