-- What operating the outbox needs: one pause for all relays, replays from the archive; and what makes a large backlog
-- behind a refused event cheap.

alter table outbox_bucket
	add column paused_at   timestamptz,               -- a relay locks no paused bucket
	add column released    bigint not null default 0, -- rises when a refused event leaves, and its aggregate may go on
	add column released_in xid8;

-- Of an event that an operator put back from the archive: when. It was published before, under the same id.
alter table outbox_event add column replayed_at timestamptz;
alter table outbox_archive add column replayed_at timestamptz;

-- Nearly always empty: the refused events that will be tried again, and when. ("+ 0" and the missing "attempts > 0" keep
-- the planner from asking another index the same question.)
create index outbox_event_retried on outbox_event ((bucket + 0), due_at) where due_at is not null and parked_at is null;

-- A relay remembers how far a bucket holds nothing but refused events and what waits behind them. That memory ends
-- when one of these events leaves, whoever takes it away: the number says so. Once in a transaction is enough.
create function outbox_release() returns trigger
	language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
	update public.outbox_bucket set released = released + 1, released_in = pg_current_xact_id()
	where bucket = old.bucket and released_in is distinct from pg_current_xact_id();
	return null;
end $$;

create trigger refused_event_leaves after delete on outbox_event
	for each row when (old.attempts > 0) execute function outbox_release();
create trigger refused_event_goes_on after update of attempts, parked_at on outbox_event
	for each row when (old.attempts > 0 and (new.attempts = 0 or (old.parked_at is not null and new.parked_at is null)))
	execute function outbox_release();

create table outbox_replay (
	id          bigint      primary key generated always as identity,
	operator    text        not null,
	reason      text        not null,
	selected    text        not null,
	events      integer     not null,
	sent        integer     not null default 0, -- put back into the outbox
	per_second  integer     not null,
	started_at  timestamptz not null default clock_timestamp(),
	next_at     timestamptz not null default clock_timestamp(),
	finished_at timestamptz,
	cancelled   boolean     not null default false
);

-- The copies that a replay has still to put back, in the order of their first positions.
create table outbox_replay_event (
	replay         bigint      not null references outbox_replay on delete cascade,
	position       bigint      not null,
	id             uuid        not null,
	aggregate_type text        not null,
	aggregate_id   text        not null,
	event_type     text        not null,
	payload        json        not null,
	headers        json        not null,
	created_at     timestamptz not null,
	primary key (replay, position)
);

-- What a replay would send: published events whose payload is still kept. Criteria that are null select everything.
create function outbox_replayable(
	the_id uuid, the_aggregate text, the_type text, since timestamptz, before timestamptz, first_id uuid, last_id uuid)
	returns setof outbox_archive
	language sql stable as $$
	select *
	from outbox_archive a
	where a.replayed_at is null and a.payload is not null
		and (the_id is null or a.id = the_id)
		and (the_aggregate is null or a.aggregate_id = the_aggregate)
		and (the_type is null or a.event_type = the_type)
		and (since is null or a.published_at >= since)
		and (before is null or a.published_at < before)
		and (first_id is null or a.id >= first_id)
		and (last_id is null or a.id <= last_id)
$$;

-- Notes which events are to be sent again; outbox_replay_step sends them. Nothing that was never published can come out
-- of it: that is why the relay's role may call this and cannot insert an event. Returns null when there are more than
-- "most"; nothing is noted then.
create function outbox_replay_start(
	by_operator text, why text, criteria text, rate integer, most integer,
	the_id uuid, the_aggregate text, the_type text, since timestamptz, before timestamptz, first_id uuid, last_id uuid)
	returns bigint
	language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
	job bigint;
	noted integer;
begin
	if rate not between 1 and 100000 or most < 1 then
		raise exception 'rate must be between 1 and 100000, not %, and most be positive', rate;
	end if;
	insert into public.outbox_replay (operator, reason, selected, events, per_second)
	values (by_operator, why, criteria, 0, rate) returning id into job;
	insert into public.outbox_replay_event (replay, position, id, aggregate_type, aggregate_id, event_type, payload, headers, created_at)
	select job, position, id, aggregate_type, aggregate_id, event_type, payload, headers, created_at
	from public.outbox_replayable(the_id, the_aggregate, the_type, since, before, first_id, last_id)
	limit most::bigint + 1;
	get diagnostics noted = row_count;
	if noted > most then
		delete from public.outbox_replay where id = job;
		return null;
	end if;
	update public.outbox_replay set events = noted, finished_at = case when noted = 0 then clock_timestamp() end where id = job;
	return job;
end $$;

-- Puts the next events of a replay back into the outbox, under their own ids and in their first order; at most its rate,
-- however many relays ask. Nothing while the outbox is paused. Returns how many.
create function outbox_replay_step() returns integer
	language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
	job public.outbox_replay;
	moved integer;
begin
	if exists (select from public.outbox_bucket where paused_at is not null) then
		return 0;
	end if;
	select * into job from public.outbox_replay
	where finished_at is null and next_at <= clock_timestamp()
	order by next_at limit 1
	for update skip locked;
	if not found then
		return 0;
	end if;
	with next as (
		delete from public.outbox_replay_event e
		using (select replay, position from public.outbox_replay_event
			where replay = job.id order by position limit job.per_second) n
		where e.replay = n.replay and e.position = n.position
		returning e.*)
	insert into public.outbox_event (id, aggregate_type, aggregate_id, event_type, payload, headers, created_at, replayed_at)
	select id, aggregate_type, aggregate_id, event_type, payload, headers, created_at, clock_timestamp()
	from next order by position;
	get diagnostics moved = row_count;
	update public.outbox_replay
	set sent = sent + moved, next_at = clock_timestamp() + interval '1 second',
		finished_at = case when sent + moved >= events then clock_timestamp() end
	where id = job.id;
	return moved;
end $$;

-- Forgets what a replay has not sent yet; returns how many that were, or null when it is over or there is no such one.
create function outbox_replay_cancel(job bigint) returns integer
	language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
	forgotten integer;
begin
	update public.outbox_replay set finished_at = clock_timestamp(), cancelled = true where id = job and finished_at is null;
	if not found then
		return null;
	end if;
	delete from public.outbox_replay_event where replay = job;
	get diagnostics forgotten = row_count;
	return forgotten;
end $$;

revoke execute on function
	outbox_replayable(uuid, text, text, timestamptz, timestamptz, uuid, uuid),
	outbox_replay_start(text, text, text, integer, integer, uuid, text, text, timestamptz, timestamptz, uuid, uuid),
	outbox_replay_step(), outbox_replay_cancel(bigint)
	from public;
grant execute on function
	outbox_replayable(uuid, text, text, timestamptz, timestamptz, uuid, uuid),
	outbox_replay_start(text, text, text, integer, integer, uuid, text, text, timestamptz, timestamptz, uuid, uuid),
	outbox_replay_step(), outbox_replay_cancel(bigint)
	to ${relay_role};
grant select on outbox_audit, outbox_replay to ${relay_role};
