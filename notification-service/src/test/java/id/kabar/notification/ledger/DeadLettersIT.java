package id.kabar.notification.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import id.kabar.notification.ledger.Claim.Claimed;
import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One letter per event, whatever the topic repeats. */
class DeadLettersIT {

  private static final LedgerSettings SETTINGS =
      new LedgerSettings(Duration.ofSeconds(15), Duration.ofDays(45), Duration.ofDays(90), 10);
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final LetterFilter ALL = new LetterFilter(null, null, null, null, null);

  private static JdbcClient jdbc;

  private final DeadLetters letters = new DeadLetters(jdbc, SETTINGS);
  private final ProcessedEvents events =
      new ProcessedEvents(jdbc, SETTINGS, new Instance(UUID::randomUUID));
  private final UUID event = UUID.randomUUID();
  private final UUID order = UUID.randomUUID();

  @BeforeAll
  static void migrate() {
    Database database =
        TestPostgres.shared().freshDatabase("notifications", "notification_service");
    Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .load()
        .migrate();
    jdbc = ProcessedEventsIT.client(database);
  }

  @Test
  void aLetterKeepsEverythingOfItsRecord() {
    letters.take(letter(NOON, Cause.REJECTED));
    Letter taken = only();
    assertThat(taken.eventId()).isEqualTo(event);
    assertThat(taken.cause()).isEqualTo(Cause.REJECTED);
    assertThat(taken.state()).isEqualTo(LetterState.OPEN);
    assertThat(taken.origin()).isEqualTo(new Letter.Origin("order.paid", 1, 7, NOON));
    Letter.Content content = letters.content(taken.id());
    assertThat(content.key()).isEqualTo("key".getBytes(UTF_8));
    assertThat(content.payload()).isEqualTo(new byte[] {0, (byte) 0xff});
    assertThat(content.headers()).isEqualTo("[[\"a\\u0000\",\"AA==\"]]");
  }

  @Test
  void takingALetterInAgainChangesNothing() {
    letters.take(letter(NOON, Cause.REJECTED));
    letters.discard(only().id());
    letters.take(letter(NOON, Cause.REJECTED));
    letters.take(letter(NOON.minusSeconds(5), Cause.POISON));
    assertThat(only().state()).isEqualTo(LetterState.DISCARDED);
    assertThat(only().cause()).isEqualTo(Cause.REJECTED);
  }

  @Test
  void aFurtherFailureOpensTheSameLetterAgain() {
    letters.take(letter(NOON, Cause.REJECTED));
    letters.replayed(only().id(), DeadLetters.Round.REPLAY);
    letters.take(letter(NOON.plusSeconds(5), Cause.PROVIDER_UNAVAILABLE));
    assertThat(only().state()).isEqualTo(LetterState.OPEN);
    assertThat(only().cause()).isEqualTo(Cause.PROVIDER_UNAVAILABLE);
    assertThat(only().replays()).isEqualTo(1);
    assertThat(only().firstFailedAt()).isEqualTo(NOON);
    assertThat(only().lastFailedAt()).isEqualTo(NOON.plusSeconds(5));
  }

  @Test
  void aLetterTellsEveryAttemptAtItsEvent() {
    events.release(
        (Claimed) events.claim(event, order, Duration.ofHours(24)),
        new AttemptFailure(Cause.REJECTED, "rejected with 422", 422, false));
    letters.take(letter(NOON, Cause.REJECTED));
    assertThat(new Attempts(jdbc).of(only().id()))
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat(attempt.number()).isEqualTo(1);
              assertThat(attempt.failure())
                  .isEqualTo(new AttemptFailure(Cause.REJECTED, "rejected with 422", 422, false));
            });
  }

  @Test
  void aLetterOfWhatCannotBeReadTellsEveryRound() {
    String reference = "record:order.paid-1@7/" + event;
    letters.take(letter(reference, null, NOON, Cause.POISON));
    letters.take(letter(reference, null, NOON, Cause.POISON));
    letters.replayed(only().id(), DeadLetters.Round.REPLAY);
    letters.take(letter(reference, null, NOON.plusSeconds(5), Cause.POISON));
    assertThat(new Attempts(jdbc).of(only().id()))
        .extracting(Attempt::number, Attempt::at)
        .containsExactly(tuple(1, NOON), tuple(2, NOON.plusSeconds(5)));
  }

  @Test
  void sendingTheEventResolvesItsLetter() {
    Claimed claim = (Claimed) events.claim(event, order, Duration.ofHours(24));
    letters.take(letter(NOON, Cause.PROVIDER_UNAVAILABLE));
    letters.replayed(only().id(), DeadLetters.Round.REPLAY);
    events.finish(claim, "message", null);
    assertThat(only().state()).isEqualTo(LetterState.RESOLVED);
    assertThat(only().eventSent()).isTrue();
  }

  @Test
  void sendingWhatCouldNotBeReadBeforeResolvesTheLetterOfItsRecord() {
    String reference = "record:order.paid-1@7/" + event;
    letters.take(letter(reference, null, NOON, Cause.POISON));
    Claimed claim = (Claimed) events.claim(event, order, Duration.ofHours(24));
    events.finish(claim, "message", reference);
    assertThat(only().state()).isEqualTo(LetterState.RESOLVED);
  }

  @Test
  void aLetterThatArrivesAfterItsEventWasSentIsResolvedAtOnce() {
    events.finish((Claimed) events.claim(event, order, Duration.ofHours(24)), "message", null);
    letters.take(letter(NOON, Cause.PROVIDER_UNAVAILABLE));
    assertThat(only().state()).isEqualTo(LetterState.RESOLVED);
  }

  @Test
  void aLetterTakenInWhileItsEventIsSentIsResolvedSoonAfter() {
    letters.take(letter(NOON, Cause.PROVIDER_UNAVAILABLE));
    events.finish((Claimed) events.claim(event, order, Duration.ofHours(24)), "message", null);
    jdbc.sql("update dead_letter set state = 'OPEN', settled_at = null where event_id = ?")
        .param(event)
        .update(); // as the two would leave it that did not see each other
    letters.resolveSent();
    assertThat(only().state()).isEqualTo(LetterState.RESOLVED);
  }

  @Test
  void filtersNarrowTheListAndTheCount() {
    letters.take(letter(NOON, Cause.REJECTED));
    LetterFilter ofOrder = new LetterFilter(null, null, order, null, null);
    assertThat(letters.list(ofOrder, null, 10)).hasSize(1);
    assertThat(letters.count(ofOrder)).isEqualTo(1);
    assertThat(letters.count(new LetterFilter(Cause.POISON, null, order, null, null))).isZero();
    assertThat(letters.count(new LetterFilter(Cause.REJECTED, LetterState.OPEN, order, NOON, null)))
        .isEqualTo(1);
    assertThat(letters.count(new LetterFilter(null, null, order, null, NOON))).isZero();
    assertThat(letters.openIds(ofOrder, 10)).containsExactly(only().id());
  }

  @Test
  void pagesFollowEachOtherWithoutGapOrRepetition() {
    UUID busyOrder = UUID.randomUUID();
    for (int i = 0; i < 7; i++) {
      letters.take(letter("event:" + UUID.randomUUID(), null, NOON, Cause.POISON, busyOrder));
    }
    LetterFilter ofOrder = new LetterFilter(null, null, busyOrder, null, null);
    List<Letter> first = letters.list(ofOrder, null, 4);
    List<Letter> second = letters.list(ofOrder, first.getLast().id(), 4);
    assertThat(first).hasSize(4);
    assertThat(second).hasSize(3);
    assertThat(second.getFirst().id()).isLessThan(first.getLast().id());
  }

  @Test
  void lettersPickedByHandAreDiscardedEachWithItsOwnLine() {
    letters.take(letter("event:" + UUID.randomUUID(), null, NOON, Cause.POISON));
    letters.take(letter(NOON, Cause.REJECTED));
    LetterFilter ofOrder = new LetterFilter(null, null, order, null, null);
    List<Long> ids = letters.openIds(ofOrder, 10);
    letters.replayed(ids.getFirst(), DeadLetters.Round.REPLAY);
    assertThat(letters.discard(ids, "operator", "customer left")).isEqualTo(1);
    assertThat(letters.all(ids))
        .extracting(Letter::state)
        .containsExactlyInAnyOrder(LetterState.REPLAYED, LetterState.DISCARDED);
    assertThat(letters.history(ids.getLast()))
        .singleElement()
        .satisfies(line -> assertThat(line.reason()).isEqualTo("customer left"));
    assertThat(letters.history(ids.getFirst())).isEmpty();
  }

  @Test
  void onlyTheLettersAskedForAreFound() {
    letters.take(letter("event:" + UUID.randomUUID(), null, NOON, Cause.POISON));
    letters.take(letter(NOON, Cause.REJECTED));
    List<Long> ids = letters.openIds(new LetterFilter(null, null, order, null, null), 10);
    LetterFilter picked = new LetterFilter(null, null, order, null, null, ids.subList(0, 1));
    assertThat(letters.openIds(picked, 10)).isEqualTo(ids.subList(0, 1));
    assertThat(letters.count(picked)).isEqualTo(1);
    assertThat(picked.inWords()).isEqualTo("order %s, letter %d".formatted(order, ids.getFirst()));
  }

  @Test
  void causesAreCountedByState() {
    letters.take(letter(NOON, Cause.UNEXPECTED));
    assertThat(letters.causes().get(Cause.UNEXPECTED)).containsEntry(LetterState.OPEN, 1L);
  }

  @Test
  void onlySettledLettersAreForgotten() {
    letters.take(letter(Instant.parse("2020-01-01T00:00:00Z"), Cause.REJECTED));
    letters.prune();
    assertThat(only().state()).isEqualTo(LetterState.OPEN);
    letters.discard(only().id());
    jdbc.sql("update dead_letter set settled_at = now() - interval '91 d' where event_id = ?")
        .param(event)
        .update();
    letters.prune();
    assertThat(letters.count(new LetterFilter(null, null, order, null, null))).isZero();
  }

  @Test
  void openLettersAreCountedWithTheirAge() {
    letters.take(letter(Instant.now().minusSeconds(600), Cause.REJECTED));
    assertThat(letters.open().count()).isEqualTo(letters.count(ALL.in(LetterState.OPEN)));
    assertThat(letters.open().oldest()).isGreaterThan(Duration.ofSeconds(590));
  }

  private Letter only() {
    List<Letter> found = letters.list(new LetterFilter(null, null, order, null, null), null, 10);
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private NewLetter letter(Instant lastFailedAt, Cause cause) {
    return letter("event:" + event, event, lastFailedAt, cause);
  }

  private NewLetter letter(String reference, UUID event, Instant lastFailedAt, Cause cause) {
    return letter(reference, event, lastFailedAt, cause, order);
  }

  private static NewLetter letter(
      String reference, UUID event, Instant lastFailedAt, Cause cause, UUID order) {
    return new NewLetter(
        reference,
        event,
        order,
        cause,
        "rejected with 422",
        1,
        NOON,
        lastFailedAt,
        new Letter.Origin("order.paid", 1, 7, NOON),
        1,
        3,
        new Letter.Content(
            "key".getBytes(UTF_8), new byte[] {0, (byte) 0xff}, "[[\"a\\u0000\",\"AA==\"]]"));
  }
}
