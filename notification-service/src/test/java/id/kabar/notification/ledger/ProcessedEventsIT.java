package id.kabar.notification.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import id.kabar.notification.ledger.Claim.AlreadySent;
import id.kabar.notification.ledger.Claim.Claimed;
import id.kabar.notification.ledger.Claim.Held;
import id.kabar.notification.ledger.Claim.Spared;
import id.kabar.notification.ledger.ProviderState.Manual;
import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Who may send, by the database's clock. */
class ProcessedEventsIT {

  private static final Duration KEY_WINDOW = Duration.ofHours(24);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final LedgerSettings SETTINGS =
      new LedgerSettings(Duration.ofSeconds(15), Duration.ofDays(45), Duration.ofDays(90), 10);

  private static JdbcClient jdbc;

  private final ProcessedEvents events = new ProcessedEvents(jdbc, SETTINGS, instance());
  private final UUID event = UUID.randomUUID();

  @BeforeAll
  static void migrate() {
    Database database =
        TestPostgres.shared().freshDatabase("notifications", "notification_service");
    Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .load()
        .migrate();
    jdbc = client(database);
  }

  @Test
  void anEventIsClaimedByOneOfFifty() throws Exception {
    List<Claim> claims = inParallel(50, () -> claim(event));
    assertThat(claims).filteredOn(Claimed.class::isInstance).hasSize(1);
    assertThat(claims).filteredOn(Held.class::isInstance).hasSize(49);
  }

  @Test
  void anExpiredClaimIsTakenOverByOneOfFifty() throws Exception {
    claim(event);
    expire(event);
    List<Claim> claims = inParallel(50, () -> claim(event));
    assertThat(claims).filteredOn(Claimed.class::isInstance).hasSize(1);
  }

  @Test
  void aSentEventIsNeverClaimedAgain() {
    events.finish(claimed(event), "message", null);
    assertThat(claim(event)).isEqualTo(new AlreadySent());
  }

  @Test
  void aClaimThatAClockSetBackHasLeftInTheFutureIsTakenOver() {
    claim(event);
    jdbc.sql(
            "update processed_event set claim_expires_at = now() + interval '1 h' where event_id = ?")
        .param(event)
        .update();
    assertThat(claim(event)).isInstanceOf(Claimed.class);
  }

  @Test
  void aPauseThatAClockSetBackHasLeftInTheFutureIsOver() {
    ProviderStates providers = new ProviderStates(jdbc);
    try {
      jdbc.sql("update provider set throttled_until = now() + interval '1 h'").update();
      assertThat(providers.read().throttled()).isZero();
      assertThat(claim(event)).isInstanceOf(Claimed.class);
      providers.throttle(Duration.ofSeconds(30));
      assertThat(providers.read().throttled())
          .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30));
    } finally {
      jdbc.sql("update provider set throttled_until = null").update();
    }
  }

  @Test
  void aHeldClaimSaysHowLong() {
    claim(event);
    assertThat(((Held) claim(event)).remaining())
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(15));
  }

  @Test
  void aFrozenOwnersLateFinishChangesNothing() {
    Claimed frozen = claimed(event);
    expire(event);
    Claimed successor = claimed(event);
    assertThat(events.finish(frozen, "late", null)).isFalse();
    assertThat(events.release(frozen, failure("late", false))).isEmpty();
    assertThat(events.finish(successor, "in time", null)).isTrue();
    assertThat(events.finish(frozen, "late", null)).isFalse();
    assertThat(column(event, "provider_message_id")).isEqualTo("in time");
  }

  @Test
  void whoDiesInAnAttemptLeavesItsOutcomeUnknown() {
    claim(event);
    expire(event);
    Claimed successor = claimed(event);
    assertThat(successor.unknownSince()).isNotNull();
    assertThat(successor.keyWindowOver()).isFalse();
  }

  @Test
  void aClearRefusalAfterAnUnknownOutcomeLeavesItUnknownSinceTheFirst() {
    events.release(claimed(event), failure("timed out", true));
    jdbc.sql(
            "update processed_event set unknown_since = now() - interval '23 h' where event_id = ?")
        .param(event)
        .update();
    events.release(claimed(event), failure("rejected", false));
    events.release(claimed(event), failure("timed out", true));
    jdbc.sql(
            "update processed_event set unknown_since = unknown_since - interval '1 h' where event_id = ?")
        .param(event)
        .update();
    assertThat(claimed(event).keyWindowOver()).isTrue();
  }

  @Test
  void failedAttemptsAreCountedAndTimedByTheDatabase() {
    FailedAttempts first = events.release(claimed(event), failure("503", true)).orElseThrow();
    FailedAttempts second = events.release(claimed(event), failure("503", true)).orElseThrow();
    assertThat(first.count()).isEqualTo(1);
    assertThat(second.count()).isEqualTo(2);
    assertThat(second.firstFailedAt()).isEqualTo(first.firstFailedAt());
    assertThat(second.lastFailedAt()).isAfter(first.lastFailedAt());
  }

  @Test
  void everyFailedAttemptIsRememberedAndASuccessLeavesNone() {
    events.release(claimed(event), rejected());
    events.release(claimed(event), failure("timed out", true));
    claim(event); // whoever made this one died
    expire(event);
    events.finish(claimed(event), "message", null);
    assertThat(attempts(event))
        .containsExactly(
            "1 REJECTED rejected with 422 422 false",
            "2 PROVIDER_UNAVAILABLE timed out null true",
            "3 OUTCOME_UNKNOWN whoever made it is gone null true");
  }

  @Test
  void ofAnEventThatFailsForDaysTheLatestAttemptsAreRemembered() {
    for (int attempt = 1; attempt <= Attempts.KEPT + 20; attempt++) {
      events.release(claimed(event), failure("503", true));
    }
    assertThat(attempts(event))
        .hasSize(Attempts.KEPT)
        .first()
        .asString()
        .startsWith("21 PROVIDER_UNAVAILABLE");
  }

  @Test
  void attemptsAreForgottenWithTheirEvent() {
    UUID old = unsent("46 days", false);
    UUID young = unsent("44 days", false);
    events.prune();
    assertThat(attempts(old)).isEmpty();
    assertThat(attempts(young)).hasSize(1);
  }

  @Test
  void onlyWhatNobodyCanAskForAnyMoreIsForgotten() {
    UUID sentLongAgo = sent("46 days");
    UUID sentLately = sent("44 days");
    UUID refusedLongAgo = unsent("46 days", false);
    UUID unknownLongAgo = unsent("46 days", true);
    UUID unknownAndDiscarded = unsent("46 days", true);
    UUID waiting = unsent("46 days", false);
    UUID sending = UUID.randomUUID();
    claim(sending);
    jdbc.sql(
            "update processed_event set last_failed_at = now() - interval '90 d' where event_id = ?")
        .param(sending)
        .update();
    letter(unknownAndDiscarded, "DISCARDED");
    letter(waiting, "OPEN");

    while (events.prune() > 0) {
      assertThat(exists(sentLately)).isTrue();
    }

    assertThat(List.of(exists(sentLongAgo), exists(refusedLongAgo), exists(unknownAndDiscarded)))
        .containsOnly(false);
    assertThat(
            List.of(exists(sentLately), exists(unknownLongAgo), exists(waiting), exists(sending)))
        .containsOnly(true);
  }

  @Test
  void pruningTakesSmallBites() {
    for (int i = 0; i < 25; i++) {
      sent("60 days");
    }
    assertThat(events.prune()).isLessThanOrEqualTo(20);
    while (events.prune() > 0) {
      assertThat(true).isTrue();
    }
  }

  @Test
  void fiveInstancesStartTogetherOnAnEmptyDatabase() throws Exception {
    for (int round = 0; round < 3; round++) {
      Database empty = TestPostgres.shared().freshDatabase("notifications", "notification_service");
      inParallel(
          5,
          () ->
              Flyway.configure()
                  .dataSource(empty.jdbcUrl(), empty.user(), empty.password())
                  .load()
                  .migrate());
      assertThat(
              client(empty)
                  .sql(
                      "select version || ' ' || count(*) from flyway_schema_history where success group by version")
                  .query(String.class)
                  .list())
          .isNotEmpty()
          .allMatch(applied -> applied.endsWith(" 1"));
    }
  }

  @Test
  void nobodyClaimsAnEventWhileTheProviderIsToBeLeftAloneUnlessToGiveItUp() {
    ProviderStates providers = new ProviderStates(jdbc);
    try {
      providers.throttle(Duration.ofMinutes(5));
      providers.throttle(Duration.ofSeconds(1)); // of another instance, and no news
      assertThat(claim(event))
          .isInstanceOfSatisfying(
              Spared.class,
              spared ->
                  assertThat(spared.provider().throttled())
                      .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5)));
      assertThat(events.claimToGiveUp(event, event, KEY_WINDOW)).isInstanceOf(Claimed.class);
      assertThat(claim(event)).isInstanceOf(Held.class);
    } finally {
      jdbc.sql("update provider set throttled_until = null").update();
    }
  }

  @Test
  void anOperatorsOrderBeatsWhatTheProviderAskedForAndIsOnRecord() {
    ProviderStates providers = new ProviderStates(jdbc);
    try {
      providers.order(Manual.PAUSED, "dewi", "they move");
      assertThat(claim(event)).isInstanceOf(Spared.class);
      providers.throttle(Duration.ofMinutes(5));
      providers.order(Manual.FORCED, "dewi", "they are back early");
      assertThat(claim(event)).isInstanceOf(Claimed.class);
      assertThat(providers.orders(2))
          .extracting(order -> order.operator() + " " + order.manual() + " " + order.reason())
          .containsExactly("dewi FORCED they are back early", "dewi PAUSED they move");
    } finally {
      providers.order(Manual.AUTOMATIC, "dewi", "the end");
      jdbc.sql("update provider set throttled_until = null").update();
    }
  }

  @Test
  void aClaimThatIsGivenBackLeavesNoAttempt() {
    events.giveBack(claimed(event));
    assertThat(
            jdbc.sql(
                    "select state || ' ' || attempts from processed_event where event_id = ? and unknown_since is null")
                .param(event)
                .query(String.class)
                .single())
        .isEqualTo("UNSENT 0");
    assertThat(claim(event)).isInstanceOf(Claimed.class);
  }

  @Test
  void callsOfAllInstancesStandInOneLine() throws Exception {
    ProviderStates providers = nobodyInLine();
    List<Duration> waits =
        inParallel(20, () -> providers.nextCall(SECOND, Duration.ofSeconds(40))).stream()
            .map(Optional::orElseThrow)
            .sorted()
            .toList();
    assertThat(waits.getFirst()).isLessThan(SECOND);
    for (int i = 1; i < waits.size(); i++) {
      assertThat(waits.get(i).minus(waits.get(i - 1)))
          .isBetween(Duration.ofMillis(1), Duration.ofMillis(1_001));
    }
    assertThat(waits.getLast()).isGreaterThan(Duration.ofSeconds(15));
  }

  @Test
  void aPlaceInTheLineThatIsTooFarAwayIsNotTaken() throws Exception {
    ProviderStates providers = nobodyInLine();
    Duration longest = Duration.ofSeconds(5);
    assertThat(inParallel(30, () -> providers.nextCall(SECOND, longest)))
        .filteredOn(Optional::isPresent)
        .hasSizeBetween(6, 8)
        .allSatisfy(wait -> assertThat(wait.orElseThrow()).isLessThanOrEqualTo(longest));
    assertThat(providers.nextCall(SECOND, Duration.ofMinutes(1)).orElseThrow())
        .isLessThan(Duration.ofSeconds(9));
  }

  @Test
  void aCallWithoutAPlaceMakesTheLineLongerButNeverEndless() {
    ProviderStates providers = nobodyInLine();
    providers.callAtOnce(SECOND);
    providers.callAtOnce(SECOND);
    assertThat(providers.nextCall(SECOND, Duration.ofMinutes(1)).orElseThrow())
        .isBetween(SECOND, Duration.ofSeconds(2));
    for (int i = 0; i < 50; i++) {
      providers.callAtOnce(SECOND);
    }
    assertThat(providers.nextCall(SECOND, Duration.ofMinutes(1)).orElseThrow())
        .isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
  }

  @Test
  void aLineThatAClockSetBackHasLeftInTheFutureIsOver() {
    ProviderStates providers = nobodyInLine();
    jdbc.sql("update provider set next_call_at = now() + interval '1 h'").update();
    assertThat(providers.nextCall(SECOND, Duration.ofSeconds(5)).orElseThrow()).isLessThan(SECOND);
  }

  private static ProviderStates nobodyInLine() {
    jdbc.sql("update provider set next_call_at = null").update();
    return new ProviderStates(jdbc);
  }

  private Claim claim(UUID event) {
    return events.claim(event, event, KEY_WINDOW);
  }

  private Claimed claimed(UUID event) {
    return (Claimed) claim(event);
  }

  private static void expire(UUID event) {
    jdbc.sql("update processed_event set claim_expires_at = now() where event_id = ?")
        .param(event)
        .update();
  }

  private UUID sent(String ago) {
    UUID sent = UUID.randomUUID();
    events.finish(claimed(sent), "message", null);
    jdbc.sql("update processed_event set sent_at = now() - cast(? as interval) where event_id = ?")
        .params(ago, sent)
        .update();
    return sent;
  }

  private UUID unsent(String ago, boolean outcomeUnknown) {
    UUID unsent = UUID.randomUUID();
    events.release(claimed(unsent), failure("failed", outcomeUnknown));
    jdbc.sql(
            "update processed_event set last_failed_at = now() - cast(? as interval) where event_id = ?")
        .params(ago, unsent)
        .update();
    return unsent;
  }

  private static void letter(UUID event, String state) {
    jdbc.sql(
            """
            insert into dead_letter
                (reference, event_id, cause, detail, state, attempts, first_failed_at, last_failed_at,
                 dead_letter_partition, dead_letter_offset, headers)
            values ('event:' || :event, :event, 'REJECTED', '', :state, 1, now(), now(), 0, 0, '[]')
            """)
        .param("event", event)
        .param("state", state)
        .update();
  }

  private static boolean exists(UUID event) {
    return jdbc.sql("select exists (select from processed_event where event_id = ?)")
        .param(event)
        .query(Boolean.class)
        .single();
  }

  private static String column(UUID event, String name) {
    return jdbc.sql("select %s from processed_event where event_id = ?".formatted(name))
        .param(event)
        .query(String.class)
        .single();
  }

  private static AttemptFailure failure(String why, boolean outcomeUnknown) {
    return new AttemptFailure(Cause.PROVIDER_UNAVAILABLE, why, null, outcomeUnknown);
  }

  private static AttemptFailure rejected() {
    return new AttemptFailure(Cause.REJECTED, "rejected with 422", 422, false);
  }

  private static List<String> attempts(UUID event) {
    return jdbc.sql(
            """
            select concat_ws(' ', number, cause, detail, coalesce(provider_status::text, 'null'),
                case when outcome_unknown then 'true' else 'false' end)
            from attempt
            where event_id = ?
            order by number
            """)
        .param(event)
        .query(String.class)
        .list();
  }

  private static Instance instance() {
    return new Instance(UUID::randomUUID);
  }

  static JdbcClient client(Database database) {
    return JdbcClient.create(
        new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
  }

  private static <T> List<T> inParallel(int times, Callable<T> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(times);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < times; i++) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    }
  }
}
