package id.kabar.notification.ledger;

/** The statements of {@link ReplayJobs}. */
final class ReplayJobSql {

  /**
   * What waits in another job already is left to that one. Two jobs made at the same moment may
   * share a letter: then the second finds it on its way.
   */
  static final String CREATE =
      """
      with free as (
          select wanted.id, wanted.position
          from unnest(cast(:ids as bigint[])) with ordinality as wanted (id, position)
          where not exists (
              select from replay_item i
              join replay_job j on j.id = i.job_id
              where i.letter_id = wanted.id and i.state = 'WAITING' and j.state = 'RUNNING')
      ), job as (
          insert into replay_job (kind, requested_by, reason, filter, per_second, letters)
          select 'OPERATOR', :by, cast(:reason as text), :filter, :perSecond, count(*)
          from free
          having count(*) > 0
          returning id
      ), items as (
          insert into replay_item (job_id, position, letter_id)
          select job.id, free.position, free.id
          from job, free
      )
      select id from job
      """;

  /**
   * Open letters that were in the way of an outage only, and that a replay could help. After every
   * round that came back the wait is twice as long. One such job runs at a time.
   */
  static final String CREATE_REDRIVE =
      """
      with stranded as (
          select d.id, row_number() over (order by d.last_failed_at, d.id) as position
          from dead_letter d
          left join processed_event p on p.event_id = d.event_id
          where d.state = 'OPEN'
            and d.cause = 'PROVIDER_UNAVAILABLE'
            and d.origin_topic = :topic
            and d.redrives < :rounds
            and d.last_failed_at <= now() - least(
                    cast(:pause as interval) * (power(2, d.redrives) - 1), cast(:longestPause as interval))
            and p.state is distinct from 'SENT'
            and (p.unknown_since is null or p.unknown_since > now() - cast(:safelyKnown as interval))
            and not exists (
                select from replay_item i
                join replay_job j on j.id = i.job_id
                where i.letter_id = d.id and i.state = 'WAITING' and j.state = 'RUNNING')
          order by d.last_failed_at, d.id
          limit :limit
      ), job as (
          insert into replay_job (kind, requested_by, filter, per_second, letters)
          select 'REDRIVE', :by, :filter, :perSecond, count(*)
          from stranded
          having count(*) > 0
          on conflict do nothing
          returning id, requested_by, filter, letters
      ), items as (
          insert into replay_item (job_id, position, letter_id)
          select job.id, stranded.position, stranded.id
          from job, stranded
      ), noted as (
          insert into dead_letter_audit (operator, action, filter, count, job_id)
          select requested_by, 'REDRIVE', filter, letters, id
          from job
      )
      select letters from job
      """;

  /**
   * The lock is the lease: it ends with whoever holds it, or some time after whoever is frozen, and
   * others pass over it.
   */
  static final String NEXT_DUE =
      """
      select *,
             greatest(0, extract(epoch from due_at - clock_timestamp()) * 1000)::bigint as due_in,
             set_config('idle_in_transaction_session_timeout', :lease, true)
      from replay_job
      where state = 'RUNNING'
      order by due_at
      limit 1
      for update skip locked
      """;

  static final String NEXT_ITEM =
      """
      select position, letter_id
      from replay_item
      where job_id = :job
        and state = 'WAITING'
      order by position
      limit 1
      """;

  /** The pace is kept over a second: a slow moment is made up for, a long rest is not. */
  static final String SETTLE_ITEM =
      """
      with item as (
          update replay_item
          set state = case when cast(:refusal as text) is null then 'REPLAYED' else 'REFUSED' end,
              refusal = cast(:refusal as text),
              settled_at = clock_timestamp()
          where job_id = :job
            and position = :position
      )
      update replay_job
      set replayed = replayed + case when cast(:refusal as text) is null then 1 else 0 end,
          refused = refused + case when cast(:refusal as text) is null then 0 else 1 end,
          waits_for = null,
          due_at = case
              when cast(:refusal as text) is null
              then greatest(due_at, now() - interval '1 second') + cast(:interval as interval)
              else due_at
          end
      where id = :job
      """;

  static final String POSTPONE =
      """
      update replay_job
      set waits_for = :waitsFor, due_at = now() + cast(:pause as interval)
      where id = :job
      """;

  static final String END =
      """
      update replay_job
      set state = :state, waits_for = null, ended_at = now(), ended_by = cast(:by as text)
      where id = :job
        and state = 'RUNNING'
      """;

  /** What lies in the topic and is not done; what was lost on the way must not count for ever. */
  static final String UNDER_WAY =
      """
      select count(*) from dead_letter
      where state = 'REPLAYED'
        and replayed_at > now() - interval '5 minutes'
      """;

  static final String FIND =
      """
      select * from replay_job
      where id = :job
      """;

  static final String LIST =
      """
      select * from replay_job
      where cast(:before as bigint) is null or id < :before
      order by id desc
      limit :limit
      """;

  static final String REFUSED =
      """
      select letter_id, refusal from replay_item
      where job_id = :job
        and state = 'REFUSED'
      order by position
      limit :limit
      """;

  static final String TODAY =
      """
      select d.state, count(*) as letters
      from replay_item i
      join dead_letter d on d.id = i.letter_id
      where i.job_id = :job
        and i.state = 'REPLAYED'
      group by d.state
      order by d.state
      """;

  static final String WAITING_IN_JOBS =
      """
      select wanted.id
      from unnest(cast(:ids as bigint[])) as wanted (id)
      where exists (
          select from replay_item i
          join replay_job j on j.id = i.job_id
          where i.letter_id = wanted.id and i.state = 'WAITING' and j.state = 'RUNNING')
      """;

  static final String PRUNE =
      """
      with old as (
          select id from replay_job
          where ended_at < now() - cast(:retention as interval)
          order by ended_at
          limit :batch
      )
      delete from replay_job j
      using old
      where j.id = old.id
      """;

  private ReplayJobSql() {}
}
