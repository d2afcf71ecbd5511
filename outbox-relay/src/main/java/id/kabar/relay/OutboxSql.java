package id.kabar.relay;

/** All of the relay's SQL. It runs in READ COMMITTED: each statement has a snapshot of its own. */
final class OutboxSql {

  /**
   * The outbox is empty most of the time, and a plan made for an empty table would read it whole
   * when it is not: only index scans are allowed, and plans are made once.
   */
  static final String SESSION =
      """
      select set_config('idle_in_transaction_session_timeout', ?, false),
        set_config('statement_timeout', ?, false),
        set_config('enable_seqscan', 'off', false),
        set_config('enable_bitmapscan', 'off', false),
        set_config('enable_sort', 'off', false),
        set_config('plan_cache_mode', 'force_generic_plan', false),
        set_config('jit', 'off', false)
      """;

  /**
   * Buckets whose first due event waits longest, none that an operator has paused. An event behind
   * a refused one of its aggregate is not due, else a bucket that can yield nothing would be chosen
   * for ever. A bucket starts at its watermark unless that is out of date: a refused event has left
   * since, or is due again. Only so many events are looked at; a bucket in which none of them is
   * due is chosen too, for {@link #READ} to say how far that holds.
   */
  static final String LOCK =
      """
      select b.bucket
      from outbox_bucket b
      cross join lateral (
        select case
          when b.released = (?::bigint[])[b.bucket + 1] and not exists (
            select from outbox_event retried
            where retried.bucket + 0 = b.bucket and retried.parked_at is null
              and retried.due_at <= now())
          then (?::bigint[])[b.bucket + 1] else 0 end as position
        offset 0) start
      cross join lateral (
        select e.position
        from (
          select near.*, row_number() over () as n
          from (
            select seen.bucket, seen.position, seen.aggregate_id, seen.parked_at, seen.due_at
            from outbox_event seen
            where seen.bucket = b.bucket and seen.position > start.position
            order by seen.position
            limit ?) near) e
        where e.n = ?
          or e.parked_at is null and (e.due_at is null or e.due_at <= now())
          and not exists (
            select from outbox_event refused
            where refused.bucket = e.bucket and refused.aggregate_id = e.aggregate_id
              and refused.position < e.position and refused.attempts > 0
              and (refused.parked_at is not null or refused.due_at > now()))
        limit 1) head
      where b.paused_at is null
      order by head.position
      limit ?
      for update of b skip locked
      """;

  /**
   * A statement of its own: its snapshot is younger than the locks, so it sees what the previous
   * owner of a bucket has deleted. A payload larger than its share of the batch is left out and
   * read by {@link #PAYLOAD}, so that a batch of large events never is in memory whole. Every
   * bucket yields a row, be it without an event; where a bucket holds refused events, the row says
   * up to which position it was looked at.
   */
  static final String READ =
      """
      select bucket.number, bucket.released, bucket.seen,
        e.position, e.id, e.aggregate_type, e.aggregate_id, e.event_type,
        case when octet_length(e.text) <= ? then e.text end, octet_length(e.text),
        e.headers, e.created_at
      from unnest(?::smallint[]) as claimed (number)
      cross join lateral (
        select start.*,
          case when exists (
              select from outbox_event refused
              where refused.bucket = start.number and refused.attempts > 0)
            then (
              select max(position)
              from (
                select near.position
                from outbox_event near
                where near.bucket = start.number and near.position > start.position
                order by near.position
                limit ?) near)
          end as seen
        from (
          select b.bucket as number, b.released,
            case
              when b.released = (?::bigint[])[b.bucket + 1] and not exists (
                select from outbox_event retried
                where retried.bucket + 0 = b.bucket and retried.parked_at is null
                  and retried.due_at <= now())
              then (?::bigint[])[b.bucket + 1] else 0 end as position
          from outbox_bucket b
          where b.bucket = claimed.number
          offset 0) start
        offset 0) bucket
      left join lateral (
        select e.position, e.id, e.aggregate_type, e.aggregate_id, e.event_type,
          e.payload::text as text, e.headers, e.created_at
        from (
          select *
          from outbox_event near
          where near.bucket = bucket.number and near.position > bucket.position
          order by near.position
          limit ?) e
        where e.parked_at is null and (e.due_at is null or e.due_at <= now())
          and not exists (
            select from outbox_event refused
            where refused.bucket = e.bucket and refused.aggregate_id = e.aggregate_id
              and refused.position < e.position and refused.attempts > 0
              and (refused.parked_at is not null or refused.due_at > now()))
        order by e.position
        limit ?) e on true
      """;

  static final String PAYLOAD =
      """
      select payload
      from outbox_event
      where bucket = ? and position = ?
      """;

  /** One statement, so that an event is in the outbox or in the archive, never in both or none. */
  static final String SETTLE =
      """
      with confirmed as (
        select *
        from unnest(?::smallint[], ?::bigint[], ?::integer[], ?::bigint[])
          as c (bucket, position, partition, "offset")),
      settled as (
        delete from outbox_event e
        using confirmed c
        where e.bucket = c.bucket and e.position = c.position
        returning e.id, e.position, e.aggregate_type, e.aggregate_id, e.event_type, e.payload,
          e.headers, e.created_at, e.replayed_at, c.partition, c."offset")
      insert into outbox_archive (published_at, id, position, aggregate_type, aggregate_id,
        event_type, payload, headers, created_at, replayed_at, partition, "offset")
      select clock_timestamp(), id, position, aggregate_type, aggregate_id, event_type,
        case when kept and replayed_at is null then payload end,
        case when kept and replayed_at is null then headers end,
        created_at, replayed_at, partition, "offset"
      from settled
      cross join (select ?::boolean) as setting (kept)
      """;

  /** Tried again after 1 s, 4 s, 16 s … at most 5 min, by the database's clock alone. */
  static final String REFUSE =
      """
      update outbox_event e
      set attempts = e.attempts + 1,
        last_error = left(r.error, 500),
        parked_at = case when r.hopeless or e.attempts + 1 >= ? then clock_timestamp() end,
        due_at = clock_timestamp() + least(4 ^ least(e.attempts, 10), 300) * interval '1 second'
      from unnest(?::smallint[], ?::bigint[], ?::text[], ?::boolean[])
        as r (bucket, position, error, hopeless)
      where e.bucket = r.bucket and e.position = r.position
      returning e.id, e.parked_at is not null
      """;

  static final String LAST_POSITION =
      """
      select case when is_called then last_value else 0 end
      from outbox_event_position_seq
      """;

  static final String NEW_TRANSACTION =
      """
      select pg_current_xact_id()::text::bigint
      """;

  static final String OLDEST_RUNNING_TRANSACTION =
      """
      select pg_snapshot_xmin(pg_current_snapshot())::text::bigint
      """;

  /**
   * Exact while no bucket holds more than 200 events, else the server's own estimate. Buckets with
   * refused events are counted from their first event, the others from their watermark.
   */
  static final String DEPTH =
      """
      select
        case when bool_or(near.counted = 200) and estimate.live > sum(near.counted)
          then estimate.live else sum(near.counted) end,
        coalesce(extract(epoch from now() - min(due.since)), 0)::double precision,
        (select count(*)
          from (select from outbox_event e where e.attempts > 0 and e.parked_at is not null limit 10000) p),
        min(b.paused_at),
        estimate.dead,
        (select count(*) from outbox_replay where finished_at is null)
      from outbox_bucket b
      cross join (
        select pg_stat_get_live_tuples('outbox_event'::regclass) as live,
          pg_stat_get_dead_tuples('outbox_event'::regclass) as dead) estimate
      cross join lateral (
        select case when exists (
            select from outbox_event refused
            where refused.bucket = b.bucket and refused.attempts > 0)
          then 0 else (?::bigint[])[b.bucket + 1] end as position
        offset 0) first
      cross join lateral (
        select count(*) as counted
        from (
          select from outbox_event e
          where e.bucket = b.bucket and e.position > first.position
          order by e.position
          limit 200) n) near
      cross join lateral (
        select case
          when b.released = (?::bigint[])[b.bucket + 1] and not exists (
            select from outbox_event retried
            where retried.bucket + 0 = b.bucket and retried.parked_at is null
              and retried.due_at <= now())
          then (?::bigint[])[b.bucket + 1] else 0 end as position
        offset 0) start
      left join lateral (
        select coalesce(e.replayed_at, e.created_at) as since
        from (
          select *
          from outbox_event near
          where near.bucket = b.bucket and near.position > start.position
          order by near.position
          limit 1000) e
        where e.parked_at is null and (e.due_at is null or e.due_at <= now())
          and not exists (
            select from outbox_event refused
            where refused.bucket = e.bucket and refused.aggregate_id = e.aggregate_id
              and refused.position < e.position and refused.attempts > 0
              and (refused.parked_at is not null or refused.due_at > now()))
        order by e.position
        limit 1) due on true
      group by estimate.live, estimate.dead
      """;

  static final String RING =
      """
      select pg_notify(?, ?)
      """;

  /**
   * What is kept from being cleaned by the oldest transaction or snapshot that this role may know
   * of, and how many days of the archive are made ahead.
   */
  static final String SURROUNDINGS =
      """
      select
        greatest(
          age(pg_snapshot_xmin(pg_current_snapshot())::xid),
          (select max(age(backend_xmin)) from pg_stat_activity where datname = current_database()),
          (select max(age(xmin)) from pg_replication_slots)),
        (select count(*)
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'outbox_archive'::regclass
            and c.relname ~ '^outbox_archive_[0-9]{8}$'
            and to_date(right(c.relname, 8), 'YYYYMMDD') > (now() at time zone 'UTC')::date)
      """;

  static final String REPLAY_STEP =
      """
      select outbox_replay_step()
      """;

  static final String EXTEND_ARCHIVE =
      """
      select outbox_archive_extend(?)
      """;

  static final String PRUNE_ARCHIVE =
      """
      select outbox_archive_prune(?)
      """;

  private OutboxSql() {}
}
