-- Who is signed in, in which browser. The browser holds the value; here is its SHA-256 alone.
create table {schema}.sign_in_sessions (
  digest bytea primary key,
  user_id text collate "C" not null references {schema}.users on delete cascade,
  authenticated_at timestamptz not null,
  last_used_at timestamptz not null,
  -- However much it is used, it ends here.
  expires_at timestamptz not null
);

create index sign_in_sessions_user on {schema}.sign_in_sessions (user_id);
create index sign_in_sessions_expiry on {schema}.sign_in_sessions (expires_at);
