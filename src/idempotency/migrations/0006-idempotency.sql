create table {schema}.idempotency_keys (
  client_id text collate "C" not null,
  subject_id text collate "C" not null,
  key text collate "C" not null,
  -- Tells whether a later request under the same key is the same request.
  request_digest bytea not null,
  status integer not null,
  body bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, subject_id, key)
);

create index idempotency_keys_expiry on {schema}.idempotency_keys (expires_at);
