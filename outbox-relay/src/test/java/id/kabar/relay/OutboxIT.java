package id.kabar.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the outbox's statements promise, on the schema as order-service makes it. */
class OutboxIT {

  private static final long ALL_BYTES = 1 << 20;

  private final GivenOutbox given = GivenOutbox.fresh();

  @Test
  void secondRelayPassesOverBucketsTheFirstOneHolds() throws SQLException {
    given.appendMany(200, 1);
    try (Outbox first = given.session();
        Outbox second = given.session()) {
      Claim mine = claim(first, 8, 500);
      Claim theirs = claim(second, 64, 500);

      assertThat(buckets(mine)).hasSize(8);
      assertThat(buckets(theirs)).isNotEmpty().doesNotContainAnyElementsOf(buckets(mine));
    }
  }

  @Test
  void relayThatFindsEverythingTakenGetsNothingAndDoesNotWait() throws SQLException {
    given.appendMany(10, 1);
    try (Outbox first = given.session();
        Outbox second = given.session()) {
      claim(first, 64, 500);

      assertThat(claim(second, 64, 500).isEmpty()).isTrue();
    }
  }

  @Test
  void endedSessionFreesItsBucketsAndSettlesNothing() throws SQLException {
    given.append("a");
    try (Outbox first = given.session();
        Outbox second = given.session()) {
      Claim lost = claim(first, 8, 500);
      TestSessions.terminateRelays(given, 1);

      assertThat(claim(second, 8, 500).events()).hasSameSizeAs(lost.events());
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(
              () -> {
                first.settle(confirmed(lost), true);
                first.commit();
              });
      assertThat(given.pending()).isEqualTo(1);
    }
  }

  @Test
  void bucketWhoseHeadWaitsLongestIsTakenFirst() throws SQLException {
    List<UUID> ids =
        IntStream.of(40, 7, 22, 3).mapToObj(given::keyInBucket).map(given::append).toList();
    try (Outbox outbox = given.session()) {
      assertThat(ids(claim(outbox, 2, 500))).containsExactlyElementsOf(ids.subList(0, 2));
    }
  }

  @Test
  void hotBucketStarvesNoOther() throws SQLException {
    String hot = given.keyInBucket(1);
    for (int i = 0; i < 100; i++) {
      given.append(hot);
    }
    List<UUID> others =
        IntStream.range(2, 9).mapToObj(given::keyInBucket).map(given::append).toList();
    try (Outbox outbox = given.session()) {
      Claim claim = claim(outbox, 8, 40);

      assertThat(ids(claim)).containsAll(others).hasSize(5 + 7);
      assertThat(claim.full()).isTrue();
    }
  }

  @Test
  void singleHotBucketGetsTheWholeBatch() throws SQLException {
    given.appendMany(1, 100);
    try (Outbox outbox = given.session()) {
      assertThat(claim(outbox, 8, 40).events()).hasSize(40);
    }
  }

  @Test
  void largePayloadsAreBoundedByBytesAndArriveWhole() throws SQLException {
    String text = "\"" + "é".repeat(20_000) + "\"";
    for (int i = 0; i < 5; i++) {
      given.append("OrderPaid", "a", text);
    }
    try (Outbox outbox = given.session()) {
      Claim claim = outbox.claim(Watermarks.Starts.AT_ZERO, 8, 500, 100_000);

      assertThat(claim.events()).hasSize(2);
      assertThat(claim.events().getFirst().payload()).asString(UTF_8).isEqualTo(text);
      assertThat(claim.full()).isTrue();
    }
  }

  @Test
  void parkedEventHoldsItsAggregateAndNobodyElse() throws SQLException {
    String a = given.keyInBucket(5);
    UUID parked = given.append(a);
    given.append(a);
    given.execute("update outbox_event set attempts = 5, parked_at = now()");
    UUID free = given.append(given.neighbourInBucket(5));
    try (Outbox outbox = given.session()) {
      Claim claim = claim(outbox, 8, 500);

      assertThat(ids(claim)).containsExactly(free).doesNotContain(parked);
      assertThat(claim.reaches().get(5).position()).as("the whole bucket").isEqualTo(3);
    }
  }

  @Test
  void bucketInWhichNothingIsDueIsNotChosenForEver() throws SQLException {
    UUID held = given.append(given.keyInBucket(5));
    given.execute("update outbox_event set attempts = 1, due_at = now() + interval '1 hour'");
    given.append(given.keyInBucket(5));
    UUID later = given.append(given.keyInBucket(6));
    try (Outbox outbox = given.session()) {
      assertThat(ids(claim(outbox, 1, 500))).containsExactly(later).doesNotContain(held);
    }
  }

  @Test
  void refusedEventComesAgainOnceDueAndItsAggregateBehindIt() throws SQLException {
    UUID first = given.append("a");
    UUID second = given.append("a");
    try (Outbox outbox = given.session()) {
      Claim claim = claim(outbox, 8, 500);
      refuse(outbox, claim.events().getFirst(), Failure.retry("not now"), 5);
      assertThat(claim(outbox, 8, 500).isEmpty()).isTrue();
      outbox.rollback();

      given.execute("update outbox_event set due_at = now() - interval '1 ms' where attempts > 0");

      assertThat(ids(claim(outbox, 8, 500))).containsExactly(first, second);
    }
  }

  @Test
  void refusalsBackOffByTheDatabasesClockAndParkInTheEnd() throws SQLException {
    given.append("a");
    List<Long> waits = new ArrayList<>();
    try (Outbox outbox = given.session()) {
      for (int attempt = 1; attempt <= 3; attempt++) {
        Event event = claim(outbox, 8, 500).events().getFirst();
        List<UUID> parked = refuse(outbox, event, Failure.retry("x".repeat(900)), 3);
        assertThat(parked).hasSize(attempt == 3 ? 1 : 0);
        waits.add(
            given.number(
                "select round(extract(epoch from due_at - clock_timestamp())) from outbox_event"));
        given.execute("update outbox_event set due_at = now() where parked_at is null");
      }
    }
    assertThat(waits).containsExactly(1L, 4L, 16L);
    assertThat(given.number("select attempts from outbox_event")).isEqualTo(3);
    assertThat(given.number("select length(last_error) from outbox_event")).isEqualTo(500);
    assertThat(given.parked()).isEqualTo(1);
  }

  @Test
  void hopelessEventIsParkedAtOnce() throws SQLException {
    given.append("a");
    try (Outbox outbox = given.session()) {
      Event event = claim(outbox, 8, 500).events().getFirst();

      assertThat(refuse(outbox, event, Failure.park("too large"), 5)).containsExactly(event.id());
    }
    assertThat(given.number("select attempts from outbox_event")).isEqualTo(1);
  }

  @Test
  void settlesExactlyWhatWasConfirmed() throws SQLException {
    given.appendMany(10, 3);
    try (Outbox outbox = given.session()) {
      Claim claim = claim(outbox, 64, 500);
      List<Verdicts.Confirmed> some = confirmed(claim).subList(0, 7);

      outbox.settle(some, true);
      outbox.commit();

      assertThat(given.texts("select id from outbox_archive"))
          .containsExactlyInAnyOrderElementsOf(
              some.stream().map(c -> c.event().id().toString()).toList());
      assertThat(given.pending()).isEqualTo(23);
    }
  }

  @Test
  void settlementThatFindsOtherRowsThanItsOwnIsNotCommitted() throws SQLException {
    given.appendMany(1, 3);
    try (Outbox outbox = given.session()) {
      Claim claim = claim(outbox, 8, 500);
      given.execute("delete from outbox_event where position = 2");

      assertThatExceptionOfType(Outbox.SettlementMismatch.class)
          .isThrownBy(() -> outbox.settle(confirmed(claim), true))
          .withMessage("3 events were to be settled, 2 were found");
      outbox.rollback();
    }
    assertThat(given.pending()).isEqualTo(2);
    assertThat(given.archived()).isZero();
  }

  /** Locking and reading in one statement would have one snapshot, older than the lock. */
  @Test
  void noRoundReadsWhatAnotherOneHasJustSettled() throws Exception {
    String one = given.keyInBucket(1);
    String two = given.keyInBucket(2);
    for (String key : List.of(one, two)) {
      given.execute(
          """
          insert into outbox_event (aggregate_type, aggregate_id, event_type, payload)
          select 'Order', '%s', 'OrderPaid', '{}' from generate_series(1, 1500)
          """
              .formatted(key));
    }
    List<Callable<Integer>> relays = Collections.nCopies(4, this::settleOneByOne);
    int settled = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (Future<Integer> relay : threads.invokeAll(relays)) {
        settled += relay.get();
      }
    }
    assertThat(settled).isEqualTo(3000);
    assertThat(given.archived()).isEqualTo(3000);
  }

  /** Fails when anything read is not there any more. */
  private int settleOneByOne() throws SQLException {
    int settled = 0;
    try (Outbox outbox = given.session()) {
      while (given.pending() > 0) {
        for (int round = 0; round < 100; round++) {
          Claim claim = claim(outbox, 1, 1);
          outbox.settle(confirmed(claim), false);
          outbox.commit();
          settled += claim.events().size();
        }
      }
    }
    return settled;
  }

  static Claim claim(Outbox outbox, int buckets, int size) throws SQLException {
    return outbox.claim(Watermarks.Starts.AT_ZERO, buckets, size, ALL_BYTES);
  }

  private static List<UUID> refuse(Outbox outbox, Event event, Failure failure, int attempts)
      throws SQLException {
    List<UUID> parked = outbox.refuse(List.of(new Verdicts.Refused(event, failure)), attempts);
    outbox.commit();
    return parked;
  }

  static List<Verdicts.Confirmed> confirmed(Claim claim) {
    return claim.events().stream().map(event -> new Verdicts.Confirmed(event, 0, 0)).toList();
  }

  private static List<UUID> ids(Claim claim) {
    return claim.events().stream().map(Event::id).toList();
  }

  private static Set<Integer> buckets(Claim claim) {
    Set<Integer> buckets = new HashSet<>();
    claim.events().forEach(event -> buckets.add(event.bucket()));
    return buckets;
  }
}
