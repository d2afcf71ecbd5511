create table orders (
	id             uuid        primary key, -- version 7: in the order of their creation
	version        integer     not null,
	customer_email text        not null check (octet_length(customer_email) between 3 and 254),
	total_amount   bigint      not null check (total_amount between 1 and 9007199254740991), -- in the currency's minor unit
	currency       text        not null check (currency ~ '^[A-Z]{3}$'),
	status         text        not null check (status in ('PENDING', 'PAID', 'CANCELLED')),
	created_at     timestamptz not null,
	paid_at        timestamptz,
	constraint orders_paid_at_its_time check ((status = 'PAID') = (paid_at is not null))
);

-- Lists of one status, newest first.
create index orders_by_status on orders (status, id);
