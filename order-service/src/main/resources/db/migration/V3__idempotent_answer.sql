-- What a request under an Idempotency-Key was answered, written in the transaction of the request itself.
create table idempotent_answer (
	key          text        collate "C" primary key,
	fingerprint  bytea       not null, -- of method, address and body: the same key for another request is refused
	status       smallint    not null,
	content_type text,
	location     text,
	body         bytea       not null,
	expires_at   timestamptz not null  -- by this server's clock
);

create index idempotent_answer_expired on idempotent_answer (expires_at);
