-- What was tried in vain: one row per failed attempt, none for a success (that is in processed_event).
-- An attempt belongs to its event and is forgotten with it; what could not be read has no event, only a letter.

create table attempt (
    event_id        uuid references processed_event on delete cascade,
    letter_id       bigint references dead_letter on delete cascade,
    number          integer not null,     -- of this event's attempts, successes and the forgotten included
    at              timestamptz not null,
    cause           text not null,
    detail          text not null,
    provider_status integer,              -- what the provider answered; null if it did not
    outcome_unknown boolean not null,     -- whether it may have accepted the email all the same
    constraint attempt_of_one check (num_nonnulls(event_id, letter_id) = 1)
);

create unique index attempt_of_event on attempt (event_id, number) where event_id is not null;
create unique index attempt_of_letter on attempt (letter_id, number) where letter_id is not null;
