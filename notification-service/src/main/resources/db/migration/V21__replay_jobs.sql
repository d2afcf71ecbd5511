-- Sending many letters again is a job: it outlives whoever runs it, and is taken up where it was left.

alter table dead_letter
    add column redrives    integer not null default 0, -- of the replays nobody asked for, those that count
    add column replayed_at timestamptz;

create or replace view dead_letter_today as
select d.id, d.reference, d.event_id, d.order_id, d.cause, d.detail, d.state, d.attempts, d.replays,
       d.first_failed_at, d.last_failed_at,
       d.origin_topic, d.origin_partition, d.origin_offset, d.origin_at,
       coalesce(p.state = 'SENT', false) as event_sent,
       (extract(epoch from now() - p.unknown_since) * 1000)::bigint as unknown_for_millis,
       d.redrives, d.replayed_at
from dead_letter d
left join processed_event p on p.event_id = d.event_id;

create table replay_job (
    id           bigint generated always as identity primary key,
    kind         text not null
                 constraint replay_job_kind check (kind in ('OPERATOR', 'REDRIVE')),
    requested_by text not null,
    reason       text,
    filter       text not null,    -- in words
    per_second   integer not null,
    state        text not null default 'RUNNING'
                 constraint replay_job_state check (state in ('RUNNING', 'DONE', 'CANCELLED')),
    letters      integer not null, -- all of its items, and what became of them
    replayed     integer not null default 0,
    refused      integer not null default 0,
    waits_for    text,             -- what keeps it from going on
    created_at   timestamptz not null default now(),
    due_at       timestamptz not null default now(), -- of its next letter: the pace, whoever runs it
    ended_at     timestamptz,
    ended_by     text,
    constraint replay_job_ended check ((state = 'RUNNING') = (ended_at is null))
);

create unique index replay_job_one_redrive on replay_job (kind) where kind = 'REDRIVE' and state = 'RUNNING';
create index replay_job_by_due_time on replay_job (due_at) where state = 'RUNNING';
create index replay_job_ended_by_age on replay_job (ended_at) where ended_at is not null;

create table replay_item (
    job_id     bigint not null references replay_job on delete cascade,
    position   integer not null,
    letter_id  bigint not null references dead_letter on delete cascade,
    state      text not null default 'WAITING'
               constraint replay_item_state check (state in ('WAITING', 'REPLAYED', 'REFUSED')),
    refusal    text,
    settled_at timestamptz,
    primary key (job_id, position)
);

create index replay_item_by_letter on replay_item (letter_id);
create index replay_item_waiting on replay_item (job_id, position) where state = 'WAITING';

-- An instance that does not trust the provider says so here, again and again as long as it does not.
create table provider_report (
    instance text primary key,
    trust    text not null
             constraint provider_report_trust check (trust in ('PROBE', 'SPARED')),
    at       timestamptz not null
);

alter table dead_letter_audit
    add column job_id bigint,
    drop constraint dead_letter_audit_action,
    add constraint dead_letter_audit_action check (action in
        ('SHOW', 'REPLAY', 'REPLAY_FILTER', 'REDRIVE', 'CANCEL', 'DISCARD', 'DISCARD_FILTER'));
