-- What all instances know of the provider, in one row, so that the statement that claims an event can ask.

create table provider (
    only_row        boolean primary key default true constraint provider_only_row check (only_row),
    throttled_until timestamptz,  -- the provider asked to be left alone
    next_call_at    timestamptz,  -- where email.rate-limit is set: the next call's place in time
    manual          text not null default 'AUTOMATIC'
                    constraint provider_manual check (manual in ('AUTOMATIC', 'PAUSED', 'FORCED')),
    manual_since    timestamptz not null default now(),
    manual_by       text,
    manual_reason   text
);

insert into provider default values;

create table provider_audit (
    id       bigint generated always as identity primary key,
    at       timestamptz not null default now(),
    operator text not null,
    manual   text not null,
    reason   text not null
);
