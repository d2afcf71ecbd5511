package id.kabar.relay;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sends published events again, from the archive. They go through the outbox under their own ids,
 * in the order they first had: to a reader that removes repeats by event id nothing has happened,
 * and to one that has lost them everything is there again. The database's functions do the copying,
 * so that the relay's role can repeat what was published and invent nothing.
 */
@Component
class Replays {

  /**
   * Which published events are meant; what is null does not matter.
   *
   * @param firstId the ids of a range, both included; ids of version 7 are in the order of time
   */
  record Selection(
      @Nullable UUID id,
      @Nullable String aggregateId,
      @Nullable String eventType,
      @Nullable Instant publishedFrom,
      @Nullable Instant publishedBefore,
      @Nullable UUID firstId,
      @Nullable UUID lastId) {

    boolean isEverything() {
      return equals(new Selection(null, null, null, null, null, null, null));
    }

    /** As it is written down for later readers. */
    String text() {
      StringJoiner text = new StringJoiner(", ");
      add(text, "id", id);
      add(text, "aggregateId", aggregateId);
      add(text, "eventType", eventType);
      add(text, "publishedFrom", publishedFrom);
      add(text, "publishedBefore", publishedBefore);
      add(text, "firstId", firstId);
      add(text, "lastId", lastId);
      return text.length() == 0 ? "everything" : text.toString();
    }

    private static void add(StringJoiner text, String name, @Nullable Object value) {
      if (value != null) {
        text.add(name + "=" + value);
      }
    }
  }

  /**
   * A replay, under way or over.
   *
   * @param sent events put back into the outbox so far
   */
  record Replay(
      long id,
      String operator,
      String reason,
      String selected,
      int events,
      int sent,
      int perSecond,
      Instant startedAt,
      @Nullable Instant finishedAt,
      boolean cancelled) {}

  private final JdbcClient jdbc;
  private final RelaySettings.Replay settings;

  Replays(JdbcClient jdbc, RelaySettings settings) {
    this.jdbc = jdbc;
    this.settings = settings.replay();
  }

  /** How many would be sent; one above the most that a replay may have stands for more. */
  int count(Selection selection) {
    return select(jdbc.sql(OperatorSql.COUNT_REPLAYABLE), selection)
        .param("most", settings.most() + 1)
        .query(Integer.class)
        .single();
  }

  /** Empty when there are too many. */
  @Transactional
  Optional<Replay> start(Selection selection, int perSecond, String operator, String reason) {
    Long id =
        select(jdbc.sql(OperatorSql.START_REPLAY), selection)
            .param("operator", operator)
            .param("reason", reason)
            .param("selected", selection.text())
            .param("perSecond", perSecond)
            .param("most", settings.most())
            .query((row, n) -> row.getObject(1, Long.class))
            .optional()
            .orElse(null);
    if (id == null) {
      return Optional.empty();
    }
    Replay replay = find(id).orElseThrow();
    audit(operator, "replay", "replay " + id + ": " + selection.text(), replay.events(), reason);
    return Optional.of(replay);
  }

  /**
   * How many events it will not send any more; empty when it is over or there is no such replay.
   */
  @Transactional
  Optional<Integer> cancel(long id, String operator) {
    Optional<Integer> forgotten =
        jdbc.sql(OperatorSql.CANCEL_REPLAY)
            .param("replay", id)
            .query((row, n) -> row.getObject(1, Integer.class))
            .optional();
    forgotten.ifPresent(events -> audit(operator, "cancel-replay", "replay " + id, events, null));
    return forgotten;
  }

  /** The latest first. */
  List<Replay> list() {
    return replays(null);
  }

  Optional<Replay> find(long id) {
    return replays(id).stream().findFirst();
  }

  private List<Replay> replays(@Nullable Long id) {
    return jdbc.sql(OperatorSql.REPLAYS).param("replay", id).query(Replays::replay).list();
  }

  private static Replay replay(ResultSet row, int n) throws SQLException {
    OffsetDateTime finished = row.getObject(9, OffsetDateTime.class);
    return new Replay(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getInt(5),
        row.getInt(6),
        row.getInt(7),
        row.getObject(8, OffsetDateTime.class).toInstant(),
        finished == null ? null : finished.toInstant(),
        row.getBoolean(10));
  }

  private void audit(
      String operator, String action, String selected, int count, @Nullable String reason) {
    jdbc.sql(OperatorSql.AUDIT)
        .param(operator)
        .param(action)
        .param(selected)
        .param(count)
        .param(reason)
        .update();
  }

  private static JdbcClient.StatementSpec select(
      JdbcClient.StatementSpec statement, Selection selection) {
    return statement
        .param("id", text(selection.id()))
        .param("aggregateId", selection.aggregateId(), java.sql.Types.VARCHAR)
        .param("eventType", selection.eventType(), java.sql.Types.VARCHAR)
        .param(
            "publishedFrom",
            time(selection.publishedFrom()),
            java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
        .param(
            "publishedBefore",
            time(selection.publishedBefore()),
            java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
        .param("firstId", text(selection.firstId()))
        .param("lastId", text(selection.lastId()));
  }

  private static @Nullable String text(@Nullable UUID id) {
    return id == null ? null : id.toString();
  }

  private static @Nullable OffsetDateTime time(@Nullable Instant instant) {
    return instant == null ? null : instant.atOffset(ZoneOffset.UTC);
  }
}
