package id.kabar.relay;

/**
 * What operators ask of the outbox, and have done to it. Criteria that are null select everything.
 */
final class OperatorSql {

  static final String PARKED =
      """
      select e.id, e.position, e.aggregate_type, e.aggregate_id, e.event_type, e.created_at,
        e.attempts, e.parked_at, e.last_error
      from outbox_event e
      where e.attempts > 0 and e.parked_at is not null and e.position > ?
        and (?::uuid is null or e.id = ?)
        and (?::text is null or e.event_type = ?)
        and (?::text is null or e.aggregate_id = ?)
        and (?::text is null or strpos(e.last_error, ?) > 0)
      order by e.position
      limit ?
      """;

  static final String COUNT_PARKED =
      """
      select count(*)
      from outbox_event e
      where e.attempts > 0 and e.parked_at is not null
        and (?::uuid is null or e.id = ?)
        and (?::text is null or e.event_type = ?)
        and (?::text is null or e.aggregate_id = ?)
        and (?::text is null or strpos(e.last_error, ?) > 0)
      """;

  static final String RETRY_PARKED =
      """
      update outbox_event e
      set attempts = 0, due_at = null, parked_at = null
      where e.attempts > 0 and e.parked_at is not null
        and (?::uuid is null or e.id = ?)
        and (?::text is null or e.event_type = ?)
        and (?::text is null or e.aggregate_id = ?)
        and (?::text is null or strpos(e.last_error, ?) > 0)
      """;

  static final String DISCARD_PARKED =
      """
      delete from outbox_event e
      where e.attempts > 0 and e.parked_at is not null
        and (?::uuid is null or e.id = ?)
        and (?::text is null or e.event_type = ?)
        and (?::text is null or e.aggregate_id = ?)
        and (?::text is null or strpos(e.last_error, ?) > 0)
      """;

  static final String AUDIT =
      """
      insert into outbox_audit (operator, action, selected, count, reason)
      values (?, ?, ?, ?, ?)
      """;

  static final String RING =
      """
      notify outbox
      """;

  /** One operator at a time: two who take the same buckets in another order would wait for ever. */
  static final String TURN =
      """
      select pg_advisory_xact_lock(hashtext('outbox_operator'))
      """;

  /** The relays' own role may see their own sessions. */
  static final String ALIVE =
      """
      select count(distinct split_part(application_name, '@', 2)), count(*)
      from pg_stat_activity
      where datname = current_database() and application_name like 'outbox-relay-worker@%'
      """;

  /** Of each bucket, as far as its first 1,000 events. */
  static final String BUCKETS =
      """
      select b.bucket, count(e.position), count(*) filter (where e.due),
        count(*) filter (where e.parked),
        coalesce(extract(epoch from now() - min(e.since) filter (where e.due)), 0)::bigint
      from outbox_bucket b
      left join lateral (
        select e.position, coalesce(e.replayed_at, e.created_at) as since,
          e.parked_at is not null as parked,
          e.parked_at is null and (e.due_at is null or e.due_at <= now())
            and not exists (
              select from outbox_event refused
              where refused.bucket = e.bucket and refused.aggregate_id = e.aggregate_id
                and refused.position < e.position and refused.attempts > 0
                and (refused.parked_at is not null or refused.due_at > now())) as due
        from (
          select *
          from outbox_event near
          where near.bucket = b.bucket
          order by near.position
          limit 1000) e) e on true
      group by b.bucket
      order by b.bucket
      """;

  static final String LAST_PAUSE =
      """
      select b.paused_at, a.operator, a.reason
      from outbox_bucket b
      left join lateral (
        select operator, reason from outbox_audit where action = 'pause' order by at desc limit 1) a
        on true
      where b.paused_at is not null
      order by b.bucket
      limit 1
      """;

  /** Waits for the rounds under way, which hold their buckets; then no relay gets any. */
  static final String PAUSE =
      """
      with all_of_them as (select bucket from outbox_bucket order by bucket for update)
      update outbox_bucket b
      set paused_at = now()
      from all_of_them
      where b.bucket = all_of_them.bucket and b.paused_at is null
      """;

  static final String RESUME =
      """
      with all_of_them as (select bucket from outbox_bucket order by bucket for update)
      update outbox_bucket b
      set paused_at = null
      from all_of_them
      where b.bucket = all_of_them.bucket and b.paused_at is not null
      """;

  static final String COUNT_REPLAYABLE =
      """
      select count(*)
      from (
        select from outbox_replayable(:id::uuid, :aggregateId, :eventType, :publishedFrom,
          :publishedBefore, :firstId::uuid, :lastId::uuid)
        limit :most) meant
      """;

  static final String START_REPLAY =
      """
      select outbox_replay_start(:operator, :reason, :selected, :perSecond, :most, :id::uuid,
        :aggregateId, :eventType, :publishedFrom, :publishedBefore, :firstId::uuid, :lastId::uuid)
      """;

  static final String CANCEL_REPLAY =
      """
      select outbox_replay_cancel(:replay)
      """;

  static final String REPLAYS =
      """
      select id, operator, reason, selected, events, sent, per_second, started_at, finished_at, cancelled
      from outbox_replay
      where :replay::bigint is null or id = :replay
      order by id desc
      limit 100
      """;

  private OperatorSql() {}
}
