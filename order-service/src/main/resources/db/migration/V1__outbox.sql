-- The outbox: what is committed and not yet published. Any service may own these tables; outbox-relay serves them
-- through the role ${relay_role}, which sees nothing else of this database.

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
	if not exists (select from pg_roles where rolname = '${relay_role}') then
		raise exception 'role "${relay_role}" does not exist'
			using hint = 'Create it before order-service migrates: create role ${relay_role} login password ...';
	end if;
end $$;

grant select, update on outbox_bucket to ${relay_role}; -- update: what "for update" asks for
grant select, delete, update (attempts, due_at, last_error, parked_at) on outbox_event to ${relay_role};
grant select on sequence outbox_event_position_seq to ${relay_role};
grant select, insert on outbox_archive, outbox_audit to ${relay_role};
grant execute on function outbox_archive_extend(integer), outbox_archive_prune(integer) to ${relay_role};
