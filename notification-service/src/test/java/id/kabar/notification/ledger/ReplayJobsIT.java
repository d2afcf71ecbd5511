package id.kabar.notification.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import id.kabar.notification.ledger.DeadLetters.Round;
import id.kabar.notification.ledger.ReplayJob.Item;
import id.kabar.notification.ledger.ReplayJob.Kind;
import id.kabar.notification.ledger.ReplayJob.State;
import id.kabar.notification.ledger.ReplayJobs.Stranded;
import id.kabar.testservers.Database;
import id.kabar.testservers.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.NestedRuntimeException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** A replay belongs to nobody, and is taken up where it was left. */
class ReplayJobsIT {

  private static final LedgerSettings SETTINGS =
      new LedgerSettings(Duration.ofSeconds(15), Duration.ofDays(45), Duration.ofDays(90), 1000);
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final ReplayJob.Request REQUEST =
      new ReplayJob.Request("operator", "mended", "all letters", 50);

  private JdbcClient jdbc;
  private TransactionTemplate transaction;
  private TransactionTemplate besides;
  private DeadLetters letters;
  private ReplayJobs jobs;

  @BeforeEach
  void freshDatabase() {
    Database database =
        TestPostgres.shared().freshDatabase("notifications", "notification_service");
    Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .load()
        .migrate();
    var source =
        new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
    var transactions = new DataSourceTransactionManager(source);
    jdbc = JdbcClient.create(source);
    transaction = new TransactionTemplate(transactions);
    besides = new TransactionTemplate(transactions);
    besides.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
    letters = new DeadLetters(jdbc, SETTINGS);
    jobs = new ReplayJobs(jdbc, SETTINGS);
  }

  @Test
  void aReplayComesToEachOfItsLettersInOrder() {
    List<Long> ids = letters("REJECTED", 3);
    long job = jobs.create(REQUEST, ids).orElseThrow();
    for (long id : ids) {
      assertThat(step(null)).isEqualTo(id);
    }
    assertThat(jobs.nextItem(job)).isEmpty();
    jobs.done(job);
    ReplayJob done = jobs.find(job).orElseThrow();
    assertThat(done.state()).isEqualTo(State.DONE);
    assertThat(done.progress()).isEqualTo(new ReplayJob.Progress(3, 3, 0));
    assertThat(transaction.<Boolean>execute(s -> jobs.nextDue(LEASE).isEmpty())).isTrue();
  }

  @Test
  void aStepThatWasNotCommittedIsDoneAgainByWhoeverComesNext() {
    List<Long> ids = letters("REJECTED", 2);
    jobs.create(REQUEST, ids);
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      step(null);
                      throw new IllegalStateException("the instance dies");
                    }))
        .hasMessage("the instance dies");
    assertThat(step(null)).isEqualTo(ids.get(0));
    assertThat(step("NOT_OPEN")).isEqualTo(ids.get(1));
    assertThat(jobs.list(null, 10).getFirst().progress())
        .isEqualTo(new ReplayJob.Progress(2, 1, 1));
  }

  @Test
  void anInstancePassesOverTheReplayAnotherOneIsAt() {
    jobs.create(REQUEST, letters("REJECTED", 1));
    transaction.executeWithoutResult(
        status -> {
          assertThat(jobs.nextDue(LEASE)).isPresent();
          besides.executeWithoutResult(other -> assertThat(jobs.nextDue(LEASE)).isEmpty());
        });
  }

  @Test
  void aFrozenInstanceLosesItsReplay() {
    jobs.create(REQUEST, letters("REJECTED", 1));
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      jobs.nextDue(Duration.ofMillis(100));
                      besides.executeWithoutResult(
                          other -> jdbc.sql("select pg_sleep(1)").query().singleRow());
                      jobs.underWay();
                    }))
        .isInstanceOf(NestedRuntimeException.class);
    assertThat(transaction.<Boolean>execute(s -> jobs.nextDue(LEASE).isPresent())).isTrue();
  }

  @Test
  void theNextLetterIsDueAfterThePause() {
    jobs.create(new ReplayJob.Request("operator", null, "all letters", 1), letters("REJECTED", 2));
    transaction.executeWithoutResult(
        status -> {
          long job = jobs.nextDue(LEASE).orElseThrow().job().id();
          jobs.settle(job, jobs.nextItem(job).orElseThrow().position(), null, LEASE);
        });
    transaction.executeWithoutResult(
        status ->
            assertThat(jobs.nextDue(LEASE).orElseThrow().in()).isGreaterThan(LEASE.dividedBy(2)));
  }

  @Test
  void aLetterThatWaitsInOneReplayIsNotTakenIntoAnother() {
    List<Long> ids = letters("REJECTED", 3);
    long first = jobs.create(REQUEST, ids.subList(0, 2)).orElseThrow();
    assertThat(jobs.waiting(ids)).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
    long second = jobs.create(REQUEST, ids).orElseThrow();
    assertThat(jobs.find(second).orElseThrow().progress().letters()).isEqualTo(1);
    assertThat(jobs.create(REQUEST, ids)).isEmpty();
    assertThat(jobs.cancel(first, "operator")).isTrue();
    assertThat(jobs.cancel(first, "operator")).isFalse();
    assertThat(jobs.create(REQUEST, ids)).isPresent();
  }

  @Test
  void whatAnOutageHasLeftIsOneReplayOnceAndNothingElse() {
    List<Long> left = letters("PROVIDER_UNAVAILABLE", 3);
    letters("REJECTED", 2);
    assertThat(redrive(Duration.ofHours(23))).isEqualTo(3);
    assertThat(redrive(Duration.ofHours(23))).isZero();
    ReplayJob job = jobs.list(null, 1).getFirst();
    assertThat(job.kind()).isEqualTo(Kind.REDRIVE);
    assertThat(Stream.generate(() -> step(null)).limit(3)).containsExactlyElementsOf(left);
    assertThat(letters.history(left.getFirst()))
        .singleElement()
        .satisfies(line -> assertThat(line.action()).isEqualTo(AuditLine.Action.REDRIVE));
  }

  @Test
  void aLetterIsRedrivenAfterEverLongerPausesAndNotForEver() {
    long id = letters("PROVIDER_UNAVAILABLE", 1).getFirst();
    back(id, 1, "29 seconds");
    assertThat(redrive(Duration.ofHours(23))).isZero();
    back(id, 1, "31 seconds");
    assertThat(redrive(Duration.ofHours(23))).isEqualTo(1);
    jobs.cancel(jobs.list(null, 1).getFirst().id(), "operator");
    back(id, 2, "89 seconds");
    assertThat(redrive(Duration.ofHours(23))).isZero();
    back(id, 2, "91 seconds");
    assertThat(redrive(Duration.ofHours(23))).isEqualTo(1);
    jobs.cancel(jobs.list(null, 1).getFirst().id(), "operator");
    back(id, 3, "1 day");
    assertThat(redrive(Duration.ofHours(23))).isZero();
  }

  @Test
  void anUnknownOutcomePastTheProvidersMemoryIsLeftToPeople() {
    long id = letters("PROVIDER_UNAVAILABLE", 1).getFirst();
    jdbc.sql(
            """
            insert into processed_event (event_id, order_id, state, attempts, unknown_since)
            select event_id, event_id, 'UNSENT', 1, now() - interval '23 hours'
            from dead_letter where id = ?
            """)
        .param(id)
        .update();
    assertThat(redrive(Duration.ofHours(23))).isZero();
    assertThat(redrive(Duration.ofHours(24))).isEqualTo(1);
  }

  @Test
  void endedReplaysAreForgottenWithTheirLetters() {
    long job = jobs.create(REQUEST, letters("REJECTED", 1)).orElseThrow();
    jobs.prune();
    assertThat(jobs.find(job)).isPresent();
    jobs.cancel(job, "operator");
    jdbc.sql("update replay_job set ended_at = now() - interval '91 days'").update();
    jobs.prune();
    assertThat(jobs.find(job)).isEmpty();
  }

  @Test
  void instancesTellEachOtherOfTheirDistrust() {
    var one = new ProviderReports(jdbc, new Instance(UUID::randomUUID));
    var other = new ProviderReports(jdbc, new Instance(UUID::randomUUID));
    one.report(ProviderReports.Distrust.SPARED);
    assertThat(other.opinion(LEASE).spared()).isTrue();
    assertThat(one.opinion(LEASE).spared()).isFalse();
    one.report(ProviderReports.Distrust.PROBE);
    assertThat(other.opinion(LEASE)).isEqualTo(new ProviderReports.Opinion(false, true, false));
    jdbc.sql("update provider_report set at = now() - interval '1 minute'").update();
    assertThat(other.opinion(LEASE).doubted()).isFalse();
    one.withdraw();
    assertThat(jdbc.sql("select count(*) from provider_report").query(Integer.class).single())
        .isZero();
  }

  private int redrive(Duration safelyKnown) {
    return jobs.createRedrive(
        new ReplayJob.Request("notification-service", null, "left by an outage", 50),
        new Stranded(
            "order.paid", 3, Duration.ofSeconds(30), Duration.ofMinutes(10), safelyKnown, 100));
  }

  private void back(long id, int redrives, String ago) {
    jdbc.sql(
            """
            update dead_letter
            set redrives = ?, last_failed_at = now() - cast(? as interval)
            where id = ?
            """)
        .params(redrives, ago, id)
        .update();
  }

  /** Does what an instance does, but for the sending. */
  private long step(String refusal) {
    return transaction.execute(
        status -> {
          long job = jobs.nextDue(LEASE).orElseThrow().job().id();
          Item item = jobs.nextItem(job).orElseThrow();
          if (refusal == null) {
            letters.replayed(item.letterId(), Round.REPLAY);
          }
          jobs.settle(job, item.position(), refusal, Duration.ZERO);
          return item.letterId();
        });
  }

  private List<Long> letters(String cause, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                jdbc.sql(
                        """
                        insert into dead_letter
                            (reference, event_id, cause, detail, state, attempts, first_failed_at,
                             last_failed_at, origin_topic, origin_partition, origin_offset, origin_at,
                             dead_letter_partition, dead_letter_offset, headers)
                        select 'event:' || id, id, :cause, '', 'OPEN', 1, now(), now(), 'order.paid', 0, 0,
                               now(), 0, 0, '[]'
                        from gen_random_uuid() as id
                        returning id
                        """)
                    .param("cause", cause)
                    .query(Long.class)
                    .single())
        .toList();
  }
}
