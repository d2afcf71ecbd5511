-- What has been sent, and what has failed for good. All times are this database's clock.

create table processed_event (
    event_id            uuid primary key,
    order_id            uuid not null,
    state               text not null
                        constraint processed_event_state check (state in ('SENDING', 'UNSENT', 'SENT')),
    owner               text,        -- instance and claim, while SENDING
    claim_expires_at    timestamptz, -- from here on anybody may take over
    attempts            integer not null,
    unknown_since       timestamptz, -- the first attempt of which nobody knows whether the provider accepted it
    last_failure        text,
    first_failed_at     timestamptz,
    last_failed_at      timestamptz,
    provider_message_id text,
    sent_at             timestamptz,
    created_at          timestamptz not null default now(),
    constraint processed_event_claimed
        check ((state = 'SENDING') = (owner is not null and claim_expires_at is not null)),
    constraint processed_event_sent
        check ((state = 'SENT') = (provider_message_id is not null and sent_at is not null))
);

create index processed_event_sent_by_age on processed_event (sent_at) where state = 'SENT';
create index processed_event_unsent_by_age on processed_event (last_failed_at) where state = 'UNSENT';

-- One letter per event; what could not be read is known by the record it came in.
-- The position in the dead-letter topic is deliberately not unique: a topic that was deleted and made
-- again counts from zero, and its letters must not be refused.
create table dead_letter (
    id                    bigint generated always as identity primary key,
    reference             text not null constraint dead_letter_one_per_reference unique,
    event_id              uuid,
    order_id              uuid,
    cause                 text not null,
    detail                text not null,
    state                 text not null
                          constraint dead_letter_state check (state in ('OPEN', 'REPLAYED', 'RESOLVED', 'DISCARDED')),
    attempts              integer not null,
    replays               integer not null default 0,
    first_failed_at       timestamptz not null,
    last_failed_at        timestamptz not null,
    origin_topic          text,
    origin_partition      integer,
    origin_offset         bigint,
    origin_at             timestamptz,
    dead_letter_partition integer not null,
    dead_letter_offset    bigint not null,
    record_key            bytea,
    payload               bytea,
    headers               json not null, -- the original ones in order, [["name", "base64"], …]; not jsonb, which refuses U+0000
    settled_at            timestamptz
);

create index dead_letter_by_event on dead_letter (event_id) where event_id is not null;
create index dead_letter_by_order on dead_letter (order_id) where order_id is not null;
create index dead_letter_open_by_age on dead_letter (last_failed_at) where state = 'OPEN';
create index dead_letter_replayed on dead_letter (id) where state = 'REPLAYED';
create index dead_letter_settled_by_age on dead_letter (settled_at) where settled_at is not null;

-- What operators did: kept when the letter itself is long gone.
create table dead_letter_audit (
    id        bigint generated always as identity primary key,
    at        timestamptz not null default now(),
    operator  text not null,
    action    text not null
              constraint dead_letter_audit_action check (action in ('SHOW', 'REPLAY', 'REPLAY_FILTER', 'DISCARD')),
    letter_id bigint,
    filter    text,
    count     integer not null,
    reason    text
);

create index dead_letter_audit_by_letter on dead_letter_audit (letter_id) where letter_id is not null;

-- A letter together with what became of its event.
create view dead_letter_today as
select d.id, d.reference, d.event_id, d.order_id, d.cause, d.detail, d.state, d.attempts, d.replays,
       d.first_failed_at, d.last_failed_at,
       d.origin_topic, d.origin_partition, d.origin_offset, d.origin_at,
       coalesce(p.state = 'SENT', false) as event_sent,
       (extract(epoch from now() - p.unknown_since) * 1000)::bigint as unknown_for_millis
from dead_letter d
left join processed_event p on p.event_id = d.event_id;
