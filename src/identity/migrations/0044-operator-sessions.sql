-- Operators who are signed in to the console: one key in one browser. The browser holds the value; here is its SHA-256 alone.
create table {schema}.operator_sessions (
  digest bytea primary key,
  -- A session ends with its key. Null for the key from the settings, which is not stored: its digest says whether it is the same.
  operator_key_id text collate "C" references {schema}.operator_keys on delete cascade,
  configured_digest bytea,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- However much it is used, it ends here.
  expires_at timestamptz not null,
  check ((operator_key_id is null) <> (configured_digest is null))
);

create index operator_sessions_key on {schema}.operator_sessions (operator_key_id);
create index operator_sessions_expiry on {schema}.operator_sessions (expires_at);
