package id.kabar.notification.ledger;

/** The statements of {@link ProcessedEvents}. */
final class ProcessedEventSql {

  /**
   * While an attempt runs it counts as one of unknown outcome: whoever dies in it leaves the truth
   * behind, and whoever takes over adds it to the attempts. {@code old} is null for a new row. That
   * nobody may call is asked here, where it costs nothing and no instance can miss it. No claim and
   * no pause reaches as far ahead as is looked: what lies beyond was written by a database's clock
   * that has since been set back, and would hold its event for as long.
   */
  static final String CLAIM =
      """
      with claimed as (
          insert into processed_event as e
              (event_id, order_id, state, owner, claim_expires_at, attempts, unknown_since)
          select :eventId, :orderId, 'SENDING', :owner, now() + cast(:lifetime as interval), 1, now()
          from provider
          where not :toCall
             or manual = 'FORCED'
             or (manual = 'AUTOMATIC'
                 and (throttled_until is null
                      or throttled_until not between now() and %s))
          on conflict (event_id) do update
          set state = 'SENDING',
              owner = excluded.owner,
              claim_expires_at = excluded.claim_expires_at,
              attempts = e.attempts + 1,
              unknown_since = coalesce(e.unknown_since, excluded.unknown_since)
          where e.state = 'UNSENT'
             or (e.state = 'SENDING'
                 and e.claim_expires_at not between now() and now() + 2 * cast(:lifetime as interval))
          returning
              e.event_id,
              old.state as was,
              old.attempts as made,
              old.claim_expires_at - cast(:lifetime as interval) as begun,
              old.unknown_since as unknown_since,
              coalesce(
                  old.unknown_since + cast(:keyWindow as interval) <= now() + cast(:lifetime as interval),
                  false) as key_window_over
      ), lost as (
          insert into attempt (event_id, number, at, cause, detail, outcome_unknown)
          select event_id, made, begun, 'OUTCOME_UNKNOWN', 'whoever made it is gone', true
          from claimed
          where was = 'SENDING'
          on conflict do nothing
      )
      select unknown_since, key_window_over from claimed
      """
          .formatted(ProviderStates.NO_PAUSE_REACHES);

  static final String WHY_NOT =
      """
      select e.event_id is not null and e.state = 'SENT' as sent,
             e.event_id is not null and e.state = 'SENDING' and e.claim_expires_at > now() as held,
             coalesce(extract(epoch from e.claim_expires_at - now()) * 1000, 0)::bigint as remaining,
             %s
      from provider
      left join processed_event e on e.event_id = :eventId
      """
          .formatted(ProviderStates.COLUMNS);

  /**
   * Resolves the event's dead letter in the same breath; a letter about it may have another
   * reference.
   */
  static final String FINISH =
      """
      with sent as (
          update processed_event
          set state = 'SENT',
              owner = null,
              claim_expires_at = null,
              unknown_since = null,
              provider_message_id = :messageId,
              sent_at = now()
          where event_id = :eventId
            and state = 'SENDING'
            and owner = :owner
          returning event_id
      ), resolved as (
          update dead_letter d
          set state = 'RESOLVED', settled_at = now()
          from sent
          where d.state in ('OPEN', 'REPLAYED')
            and (d.event_id = sent.event_id or d.reference = cast(:letter as text))
      )
      select count(*) from sent
      """;

  static final String RELEASE =
      """
      with released as (
          update processed_event
          set state = 'UNSENT',
              owner = null,
              claim_expires_at = null,
              unknown_since = case when :unknown then unknown_since else cast(:unknownBefore as timestamptz) end,
              last_failure = :why,
              first_failed_at = coalesce(first_failed_at, now()),
              last_failed_at = now()
          where event_id = :eventId
            and state = 'SENDING'
            and owner = :owner
          returning event_id, attempts, first_failed_at, last_failed_at
      ), noted as (
          insert into attempt (event_id, number, at, cause, detail, provider_status, outcome_unknown)
          select event_id, attempts, last_failed_at, :cause, :why, cast(:status as integer), :unknown
          from released
          on conflict do nothing
      ), forgotten as (
          delete from attempt a
          using released r
          where a.event_id = r.event_id
            and a.number <= r.attempts - :kept
      )
      select attempts, first_failed_at, last_failed_at from released
      """;

  /** As if it had never been claimed: no attempt was made. */
  static final String GIVE_BACK =
      """
      update processed_event
      set state = 'UNSENT',
          owner = null,
          claim_expires_at = null,
          attempts = attempts - 1,
          unknown_since = cast(:unknownBefore as timestamptz)
      where event_id = :eventId
        and state = 'SENDING'
        and owner = :owner
      """;

  /**
   * An attempt of unknown outcome is forgotten only once a person has discarded its letter: without
   * its row a late replay would send blindly.
   */
  static final String PRUNE =
      """
      with old as (
          (select event_id from processed_event
           where state = 'SENT' and sent_at < now() - cast(:retention as interval)
           order by sent_at
           limit :batch)
          union all
          (select event_id from processed_event p
           where state = 'UNSENT' and last_failed_at < now() - cast(:retention as interval)
             and not exists (
                 select from dead_letter d
                 where d.event_id = p.event_id and d.state in ('OPEN', 'REPLAYED'))
             and (unknown_since is null or exists (
                 select from dead_letter d
                 where d.event_id = p.event_id and d.state = 'DISCARDED'))
           order by last_failed_at
           limit :batch)
      )
      delete from processed_event p
      using old
      where p.event_id = old.event_id
        and p.state <> 'SENDING'
      """;

  private ProcessedEventSql() {}
}
