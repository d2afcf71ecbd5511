package id.kabar.relay;

import static id.kabar.relay.OutboxIT.claim;
import static id.kabar.relay.OutboxIT.confirmed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the outbox's tables allow, to whom, and how they are kept. */
class OutboxTablesIT {

  private final GivenOutbox given = GivenOutbox.fresh();

  @Test
  void relaysRoleSeesTheOutboxAndNothingElse() {
    given.execute("create table orders (id uuid primary key, customer_email text)");

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> given.relay().execute("select * from orders"))
        .havingCause()
        .withMessageContaining("permission denied for table orders");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> given.relay().execute("update outbox_event set payload = '{}'"))
        .havingCause()
        .withMessageContaining("permission denied");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> given.relay().execute("create table mine (id int)"))
        .havingCause()
        .withMessageContaining("permission denied for schema public");
  }

  @Test
  void onlyARefusedEventMayWait() {
    given.append("a");

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> given.execute("update outbox_event set due_at = now()"))
        .havingCause()
        .withMessageContaining("only_a_refused_event_waits");
  }

  @Test
  void relaysRoleCanRepeatWhatWasPublishedAndInventNothing() {
    for (String table : List.of("outbox_event", "outbox_replay", "outbox_replay_event")) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () -> given.relay().execute("insert into " + table + " select from outbox_event"))
          .havingCause()
          .withMessageContaining("permission denied for table " + table);
    }
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> given.relay().execute("delete from outbox_audit"))
        .havingCause()
        .withMessageContaining("permission denied for table outbox_audit");
  }

  @Test
  void archiveHasItsDaysAheadHoweverManyRelaysMakeThem() {
    List<CompletableFuture<Void>> relays =
        IntStream.range(0, 5)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> given.relay().execute("select outbox_archive_extend(7)")))
            .toList();

    assertThat(relays)
        .allSatisfy(relay -> assertThat(relay).succeedsWithin(Duration.ofSeconds(30)));
    assertThat(partitions()).hasSize(8);
  }

  @Test
  void pruningDropsOldDaysAndNeverAnUnpublishedEvent() throws SQLException {
    given.append("a");
    given.execute("update outbox_event set created_at = now() - interval '1 year'");
    given.execute(
        """
        create table outbox_archive_20200101 partition of outbox_archive
          for values from ('2020-01-01') to ('2020-01-02');
        insert into outbox_archive (published_at, id, position, aggregate_type, aggregate_id, event_type, created_at, partition, "offset")
        select t, gen_random_uuid(), 1, 'Order', 'o', 'OrderPaid', t, 0, 0
        from unnest(array[timestamptz '2020-01-01 12:00', timestamptz '2020-02-02', now()]) t
        """);
    try (Connection connection = given.relay().connect()) {
      Upkeep outbox = new Upkeep(connection);
      assertThat(outbox.extendArchive(7)).isPositive();
      assertThat(outbox.pruneArchive(7)).isEqualTo(1);
    }
    assertThat(given.archived()).isEqualTo(1);
    assertThat(given.pending()).isEqualTo(1);
  }

  @Test
  void archiveKeepsThePayloadOnlyWhenAsked() throws SQLException {
    given.append("OrderPaid", "a", "{\"n\":1}");
    given.append("OrderPaid", "b", "{\"n\":2}");
    try (Outbox outbox = given.session()) {
      List<Verdicts.Confirmed> all = confirmed(claim(outbox, 64, 500));
      outbox.settle(all.subList(0, 1), true);
      outbox.settle(all.subList(1, 2), false);
      outbox.commit();
    }
    assertThat(given.texts("select payload::text from outbox_archive order by position"))
        .containsExactly("{\"n\":1}", null);
  }

  @Test
  void whereTodaysPartitionIsMissingPublishingGoesOn() throws SQLException {
    given.append("a");
    assertThat(partitions()).isEmpty();
    try (Outbox outbox = given.session()) {
      outbox.settle(confirmed(claim(outbox, 8, 500)), true);
      outbox.commit();
    }
    assertThat(given.number("select count(*) from outbox_archive_default")).isEqualTo(1);
  }

  @Test
  void surroundingsTellTheDaysAheadAndWhatKeepsRowsFromBeingCleaned() throws SQLException {
    try (Connection connection = given.relay().connect();
        Connection writer = given.owner().connect()) {
      Upkeep outbox = new Upkeep(connection);
      assertThat(outbox.surroundings().archiveDaysAhead()).isZero();
      outbox.extendArchive(7);
      assertThat(outbox.surroundings().archiveDaysAhead()).isEqualTo(7);

      writer.setAutoCommit(false);
      GivenOutbox.append(writer, "OrderPaid", "a", "{}");
      for (int i = 0; i < 20; i++) {
        given.append("b");
      }
      assertThat(outbox.surroundings().oldestXminAge()).isBetween(20L, 10_000L);
    }
  }

  @Test
  void depthCountsWithoutReadingEverything() throws SQLException {
    given.appendMany(10, 2);
    given.execute(
        """
        update outbox_event set attempts = 5, parked_at = now()
        where position in (select position from outbox_event order by position limit 3)
        """);
    try (Connection connection = given.relay().connect()) {
      Depth depth = new Upkeep(connection).depth(Watermarks.Starts.AT_ZERO);

      assertThat(depth.pending()).isEqualTo(20);
      assertThat(depth.parked()).isEqualTo(3);
      assertThat(depth.oldestDue()).isPositive().isLessThan(Duration.ofMinutes(1));
    }
  }

  private List<String> partitions() {
    return given.texts(
        "select relname from pg_class where relname ~ '^outbox_archive_[0-9]+$' and relkind = 'r'");
  }
}
