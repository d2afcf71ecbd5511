package id.kabar.notification.ledger;

import id.kabar.notification.ledger.Claim.AlreadySent;
import id.kabar.notification.ledger.Claim.Claimed;
import id.kabar.notification.ledger.Claim.Held;
import id.kabar.notification.ledger.Claim.Spared;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Knows of every event whether its email was sent, and lets one owner at a time try. Each step is
 * one statement in its own transaction: none is open while the provider is called.
 */
@Repository
public class ProcessedEvents {

  /**
   * While an attempt runs it counts as one of unknown outcome: whoever dies in it leaves the truth
   * behind, and whoever takes over adds it to the attempts. {@code old} is null for a new row. That
   * nobody may call is asked here, where it costs nothing and no instance can miss it. No claim and
   * no pause reaches as far ahead as is looked: what lies beyond was written by a database's clock
   * that has since been set back, and would hold its event for as long.
   */
  private static final String CLAIM =
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
                      or throttled_until not between now() and now() + interval '6 minutes'))
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
      """;

  private static final String WHY_NOT =
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
  private static final String FINISH =
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

  private static final String RELEASE =
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
  private static final String GIVE_BACK =
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
  private static final String PRUNE =
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

  private final JdbcClient jdbc;
  private final LedgerSettings settings;
  private final Instance instance;

  ProcessedEvents(JdbcClient jdbc, LedgerSettings settings, Instance instance) {
    this.jdbc = jdbc;
    this.settings = settings;
    this.instance = instance;
  }

  /**
   * Claims an event for one delivery.
   *
   * @param keyWindow how long the provider remembers the key of an attempt
   */
  public Claim claim(UUID eventId, UUID orderId, Duration keyWindow) {
    return claim(eventId, orderId, keyWindow, true);
  }

  /** Claims an event to give it up: it does not matter whether the provider may be called. */
  public Claim claimToGiveUp(UUID eventId, UUID orderId, Duration keyWindow) {
    return claim(eventId, orderId, keyWindow, false);
  }

  private Claim claim(UUID eventId, UUID orderId, Duration keyWindow, boolean toCall) {
    String owner = instance.newClaim();
    return jdbc.sql(CLAIM)
        .param("eventId", eventId)
        .param("orderId", orderId)
        .param("owner", owner)
        .param("lifetime", interval(settings.claimLifetime()))
        .param("keyWindow", interval(keyWindow))
        .param("toCall", toCall)
        .query(
            (row, n) ->
                (Claim)
                    new Claimed(
                        eventId,
                        owner,
                        row.getObject("unknown_since", OffsetDateTime.class),
                        row.getBoolean("key_window_over")))
        .optional()
        .orElseGet(() -> whyNot(eventId));
  }

  private Claim whyNot(UUID eventId) {
    return jdbc.sql(WHY_NOT)
        .param("eventId", eventId)
        .query(
            (row, n) -> {
              if (row.getBoolean("sent")) {
                return new AlreadySent();
              }
              if (row.getBoolean("held")) {
                return new Held(Duration.ofMillis(Math.max(0, row.getLong("remaining"))));
              }
              // or it was released, or pruned, in between: the next claim tells
              return (Claim) new Spared(ProviderStates.state(row));
            })
        .single();
  }

  /**
   * Records that the provider accepted the message.
   *
   * @param letter the dead letter this delivery replays, if it is one
   * @return false if the claim has gone to somebody else, who will find out the same
   */
  public boolean finish(Claimed claim, String messageId, @Nullable String letter) {
    return jdbc.sql(FINISH)
            .param("eventId", claim.eventId())
            .param("owner", claim.owner())
            .param("messageId", messageId)
            .param("letter", letter)
            .query(Integer.class)
            .single()
        == 1;
  }

  /**
   * Gives up a claim after a failed attempt, and remembers the attempt.
   *
   * @return nothing if the claim has gone to somebody else
   */
  public Optional<FailedAttempts> release(Claimed claim, AttemptFailure failure) {
    return jdbc.sql(RELEASE)
        .param("eventId", claim.eventId())
        .param("owner", claim.owner())
        .param("cause", failure.cause().name())
        .param("why", failure.detail())
        .param("status", failure.providerStatus())
        .param("unknown", failure.outcomeUnknown())
        .param("kept", Attempts.KEPT)
        .param("unknownBefore", claim.unknownSince())
        .query((row, n) -> failedAttempts(row))
        .optional();
  }

  /** Gives up a claim under which nothing was tried. */
  public void giveBack(Claimed claim) {
    jdbc.sql(GIVE_BACK)
        .param("eventId", claim.eventId())
        .param("owner", claim.owner())
        .param("unknownBefore", claim.unknownSince())
        .update();
  }

  private static FailedAttempts failedAttempts(ResultSet row) throws SQLException {
    return new FailedAttempts(
        row.getInt("attempts"),
        row.getObject("first_failed_at", OffsetDateTime.class).toInstant(),
        row.getObject("last_failed_at", OffsetDateTime.class).toInstant());
  }

  /** Forgets one batch of what is past its retention; returns how many. */
  int prune() {
    return jdbc.sql(PRUNE)
        .param("retention", interval(settings.retention()))
        .param("batch", settings.pruneBatch())
        .update();
  }

  static String interval(Duration duration) {
    return duration.toMillis() + " milliseconds";
  }
}
