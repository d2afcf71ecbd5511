-- The outbox on its own: what order-service's migrations V1__outbox.sql and V10__outbox_operations.sql make, word for word,
-- for any PostgreSQL database and the role outbox_relay. A test compares them; see docs/use-the-relay-alone.md.

-- The outbox: what is committed and not yet published. Any service may own these tables; outbox-relay serves them
-- through the role outbox_relay, which sees nothing else of this database.

create table outbox_bucket (
	bucket smallint primary key check (bucket between 0 and 63) -- only ever locked: the lock is a relay's lease
);
insert into outbox_bucket select generate_series(0, 63);

create table outbox_event (
	tx             xid8        not null default pg_current_xact_id(), -- before position: a row has its transaction before it draws its position
	position       bigint      not null generated always as identity, -- the order of commits within an aggregate
	id             uuid        not null default gen_random_uuid(),    -- the only identity for deduplication
	bucket         smallint    not null generated always as ((hashtextextended(aggregate_id, 0) & 63)::smallint) stored,
	aggregate_type text        not null,
	aggregate_id   text        not null check (aggregate_id <> ''),   -- becomes the key in Kafka
	event_type     text        not null check (event_type <> ''),     -- decides the topic
	payload        json        not null,                              -- json, not jsonb: the bytes survive as written
	headers        json        not null default '{}',                 -- one text per name; copied as they are
	created_at     timestamptz not null default clock_timestamp(),
	attempts       integer     not null default 0,                    -- refusals that are the row's own fault; an outage counts none
	due_at         timestamptz,                                       -- null: due now
	last_error     text,
	parked_at      timestamptz,                                       -- waits for an operator, and its aggregate behind it
	primary key (bucket, position),
	constraint only_a_refused_event_waits check (attempts > 0 or (due_at is null and parked_at is null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0,
	autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
	toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000, toast.autovacuum_vacuum_cost_delay = 0);

-- Empty unless something was refused: finds what holds its aggregate back without touching the hot rows.
create index outbox_event_refused on outbox_event (bucket, aggregate_id, position) where attempts > 0;

create table outbox_archive (
	published_at   timestamptz not null default clock_timestamp(),
	id             uuid        not null,
	position       bigint      not null,
	aggregate_type text        not null,
	aggregate_id   text        not null,
	event_type     text        not null,
	payload        json,
	headers        json,
	created_at     timestamptz not null,
	partition      integer     not null,
	"offset"       bigint      not null
) partition by range (published_at);

-- Where a day's partition is missing, publishing still goes on.
create table outbox_archive_default partition of outbox_archive default;

create table outbox_audit (
	at       timestamptz not null default clock_timestamp(),
	operator text        not null,
	action   text        not null,
	selected text        not null,
	count    integer     not null,
	reason   text
);

-- Creates the archive's partitions for today and the given number of days ahead; returns how many are new.
-- A day whose rows already went to the default partition stays there. Waits half a second at most for its locks, since
-- whoever publishes would wait behind it.
create function outbox_archive_extend(days integer) returns integer
	language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
	day date;
	name text;
	created integer := 0;
begin
	if days not between 0 and 366 then
		raise exception 'days must be between 0 and 366, not %', days;
	end if;
	perform pg_advisory_xact_lock(hashtext('outbox_archive')); -- several relays may do this duty at once
	for ahead in 0 .. days loop
		day := current_date + ahead;
		name := 'outbox_archive_' || to_char(day, 'YYYYMMDD');
		if to_regclass('public.' || name) is null
				and not exists (select from public.outbox_archive_default where published_at >= day and published_at < day + 1) then
			execute format('create table public.%I partition of public.outbox_archive for values from (%L) to (%L)',
				name, day::timestamptz, (day + 1)::timestamptz);
			created := created + 1;
		end if;
	end loop;
	return created;
end $$;

-- Drops the archive's partitions whose every row is older than the given number of days, and at most 10,000 such rows
-- of the default partition; returns how many partitions went. Call it again for more.
create function outbox_archive_prune(days integer) returns integer
	language plpgsql security definer set search_path = pg_catalog, public, pg_temp set timezone = 'UTC' set lock_timeout = '500ms' as $$
declare
	name text;
	dropped integer := 0;
begin
	if days not between 1 and 36500 then
		raise exception 'days must be between 1 and 36500, not %', days;
	end if;
	perform pg_advisory_xact_lock(hashtext('outbox_archive'));
	for name in
		select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
		where i.inhparent = 'public.outbox_archive'::regclass and c.relname ~ '^outbox_archive_[0-9]{8}$'
			and to_date(right(c.relname, 8), 'YYYYMMDD') < current_date - days
		order by 1
	loop
		execute format('drop table public.%I', name);
		dropped := dropped + 1;
	end loop;
	delete from public.outbox_archive_default where ctid = any (array(
		select ctid from public.outbox_archive_default where published_at < current_date - days limit 10000));
	return dropped;
end $$;

revoke execute on function outbox_archive_extend(integer), outbox_archive_prune(integer) from public;

do $$ begin
	if not exists (select from pg_roles where rolname = 'outbox_relay') then
		raise exception 'role "outbox_relay" does not exist'
			using hint = 'Create it before order-service migrates: create role outbox_relay login password ...';
	end if;
end $$;

grant select, update on outbox_bucket to outbox_relay; -- update: what "for update" asks for
grant select, delete, update (attempts, due_at, last_error, parked_at) on outbox_event to outbox_relay;
grant select on sequence outbox_event_position_seq to outbox_relay;
grant select, insert on outbox_archive, outbox_audit to outbox_relay;
grant execute on function outbox_archive_extend(integer), outbox_archive_prune(integer) to outbox_relay;

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
	to outbox_relay;
grant select on outbox_audit, outbox_replay to outbox_relay;
