package id.kabar.notification.ledger;

/** The statements of {@link DeadLetters}. */
final class DeadLetterSql {

  /**
   * A further failure of the same event updates its letter and opens it again. A record of the
   * topic that was taken in before, or an older one, is no news: the group may be reset at will. An
   * event's attempts are on record already; those of what cannot be read are noted here.
   */
  static final String TAKE =
      """
      with taken as (
          insert into dead_letter as d
              (reference, event_id, order_id, cause, detail, state, attempts, first_failed_at, last_failed_at,
               origin_topic, origin_partition, origin_offset, origin_at,
               dead_letter_partition, dead_letter_offset, record_key, payload, headers, settled_at)
          select
              :reference, cast(:eventId as uuid), cast(:orderId as uuid), :cause, :detail,
              case when sent.yes then 'RESOLVED' else 'OPEN' end,
              :attempts, :firstFailedAt, :lastFailedAt,
              cast(:originTopic as text), cast(:originPartition as integer), cast(:originOffset as bigint),
              cast(:originAt as timestamptz),
              :deadLetterPartition, :deadLetterOffset, cast(:key as bytea), cast(:payload as bytea),
              cast(:headers as json),
              case when sent.yes then now() end
          from (select exists (
              select from processed_event
              where event_id = cast(:eventId as uuid) and state = 'SENT') as yes) as sent
          on conflict (reference) do update
          set event_id = coalesce(excluded.event_id, d.event_id),
              order_id = coalesce(excluded.order_id, d.order_id),
              cause = excluded.cause,
              detail = excluded.detail,
              state = excluded.state,
              attempts = excluded.attempts,
              last_failed_at = excluded.last_failed_at,
              origin_topic = excluded.origin_topic,
              origin_partition = excluded.origin_partition,
              origin_offset = excluded.origin_offset,
              origin_at = excluded.origin_at,
              dead_letter_partition = excluded.dead_letter_partition,
              dead_letter_offset = excluded.dead_letter_offset,
              record_key = excluded.record_key,
              payload = excluded.payload,
              headers = excluded.headers,
              settled_at = excluded.settled_at
          where excluded.last_failed_at > d.last_failed_at
          returning d.id, d.event_id, d.replays, d.last_failed_at, d.cause, d.detail
      )
      insert into attempt (letter_id, number, at, cause, detail, outcome_unknown)
      select id, replays + 1, last_failed_at, cause, detail, false
      from taken
      where event_id is null
      on conflict do nothing
      """;

  static final String LIST =
      """
      select * from dead_letter_today
      where (cast(:cause as text) is null or cause = :cause)
        and (cast(:state as text) is null or state = :state)
        and (cast(:orderId as uuid) is null or order_id = :orderId)
        and (cast(:since as timestamptz) is null or last_failed_at >= :since)
        and (cast(:until as timestamptz) is null or last_failed_at < :until)
        and (cast(:ids as bigint[]) is null or id = any(cast(:ids as bigint[])))
        and (cast(:before as bigint) is null or id < :before)
      order by id desc
      limit :limit
      """;

  static final String OPEN_IDS =
      """
      select id from dead_letter
      where (cast(:cause as text) is null or cause = :cause)
        and state = :state
        and (cast(:orderId as uuid) is null or order_id = :orderId)
        and (cast(:since as timestamptz) is null or last_failed_at >= :since)
        and (cast(:until as timestamptz) is null or last_failed_at < :until)
        and (cast(:ids as bigint[]) is null or id = any(cast(:ids as bigint[])))
      order by last_failed_at, id
      limit :limit
      """;

  static final String COUNT =
      """
      select count(*) from dead_letter
      where (cast(:cause as text) is null or cause = :cause)
        and (cast(:state as text) is null or state = :state)
        and (cast(:orderId as uuid) is null or order_id = :orderId)
        and (cast(:since as timestamptz) is null or last_failed_at >= :since)
        and (cast(:until as timestamptz) is null or last_failed_at < :until)
        and (cast(:ids as bigint[]) is null or id = any(cast(:ids as bigint[])))
      """;

  static final String FIND =
      """
      select * from dead_letter_today
      where id = :id
      """;

  static final String ALL =
      """
      select * from dead_letter_today
      where id = any(cast(:ids as bigint[]))
      order by last_failed_at, id
      """;

  static final String CONTENT =
      """
      select record_key, payload, headers from dead_letter
      where id = :id
      """;

  static final String CAUSES =
      """
      select cause, state, count(*) as letters
      from dead_letter
      group by cause, state
      order by cause, state
      """;

  /**
   * Skips what is locked: of two operators one replays, the other is told so. Whoever is frozen
   * loses the lock.
   */
  static final String LOCK =
      """
      select id, set_config('idle_in_transaction_session_timeout', :lease, true)
      from dead_letter
      where id = :id
      for update skip locked
      """;

  static final String REPLAYED =
      """
      update dead_letter
      set state = 'REPLAYED',
          replays = replays + :replays,
          redrives = redrives + :redrives,
          replayed_at = now(),
          settled_at = null
      where id = :id
      """;

  static final String SETTLE =
      """
      update dead_letter
      set state = :state, settled_at = now()
      where id = :id
      """;

  /** Every letter keeps its own line: the filter's says only how many. */
  static final String DISCARD_MANY =
      """
      with open as (
          select id from dead_letter
          where id = any(cast(:ids as bigint[]))
            and state = 'OPEN'
          for update skip locked
      ), discarded as (
          update dead_letter d
          set state = 'DISCARDED', settled_at = now()
          from open
          where d.id = open.id
          returning d.id
      ), noted as (
          insert into dead_letter_audit (operator, action, letter_id, count, reason)
          select :operator, 'DISCARD', id, 1, :reason
          from discarded
      )
      select count(*) from discarded
      """;

  static final String FORGET_UNKNOWN_ATTEMPT =
      """
      update processed_event
      set unknown_since = null
      where event_id = :eventId
        and state = 'UNSENT'
      """;

  static final String AUDIT =
      """
      insert into dead_letter_audit (operator, action, letter_id, filter, count, reason, job_id)
      values
          (:operator, :action, cast(:letterId as bigint), cast(:filter as text), :count,
           cast(:reason as text), cast(:job as bigint))
      """;

  /** What was done to the letter itself, and what jobs have done to it among others. */
  static final String HISTORY =
      """
      select * from (
          select at, operator, action, filter, count, reason, job_id
          from dead_letter_audit
          where letter_id = :id
          union all
          select i.settled_at, j.requested_by,
                 case j.kind when 'REDRIVE' then 'REDRIVE' else 'REPLAY_FILTER' end,
                 j.filter, 1, coalesce('refused: ' || i.refusal, j.reason), j.id
          from replay_item i
          join replay_job j on j.id = i.job_id
          where i.letter_id = :id
            and i.state <> 'WAITING'
          order by at desc
          limit :limit
      ) latest
      order by at
      """;

  static final String RESOLVE_SENT =
      """
      update dead_letter d
      set state = 'RESOLVED', settled_at = now()
      from processed_event p
      where d.state in ('OPEN', 'REPLAYED')
        and p.event_id = d.event_id
        and p.state = 'SENT'
      """;

  static final String OPEN =
      """
      select count(*) as letters,
             coalesce(extract(epoch from now() - min(last_failed_at)) * 1000, 0)::bigint as oldest
      from dead_letter
      where state = 'OPEN'
      """;

  static final String PRUNE =
      """
      with old as (
          select id from dead_letter
          where settled_at < now() - cast(:retention as interval)
          order by settled_at
          limit :batch
      )
      delete from dead_letter d
      using old
      where d.id = old.id
      """;

  private DeadLetterSql() {}
}
