-- When a refresh token was exchanged for its successor. It stays, so that whoever uses it again is noticed.
alter table {schema}.oauth_tokens add column used_at timestamptz;

-- The answer to a refresh, for a client that did not hear it: readable only with the token that was presented, and
-- only for a few seconds.
create table {schema}.oauth_rotations (
  token_digest bytea primary key,
  grant_id text collate "C" not null references {schema}.oauth_grants on delete cascade,
  successor_digest bytea not null,
  -- The scope that was asked for; a repeat asks for the same.
  scope text not null,
  sealed_answer bytea not null,
  expires_at timestamptz not null
);

create index oauth_rotations_successor on {schema}.oauth_rotations (successor_digest);
create index oauth_rotations_grant on {schema}.oauth_rotations (grant_id);
create index oauth_rotations_expiry on {schema}.oauth_rotations (expires_at);

create table {schema}.oauth_codes (
  digest bytea primary key,
  client_id text collate "C" not null references {schema}.oauth_clients on delete cascade,
  user_id text collate "C" not null references {schema}.users,
  organization_ids text[] not null,
  scopes text[] not null,
  audience text not null,
  redirect_uri text not null,
  code_challenge text not null,
  nonce text,
  authenticated_at timestamptz not null,
  expires_at timestamptz not null,
  -- What the first use got: a second use ends it.
  grant_id text collate "C" references {schema}.oauth_grants on delete set null,
  used_at timestamptz
);

create index oauth_codes_expiry on {schema}.oauth_codes (expires_at);
