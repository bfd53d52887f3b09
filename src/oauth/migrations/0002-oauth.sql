create table {schema}.oauth_clients (
  id text collate "C" primary key,
  organization_id text collate "C" not null references {schema}.organizations,
  name text not null,
  kind text not null check (kind in ('confidential', 'public', 'resource_server')),
  allowed_grants text[] not null,
  scopes text[] not null,
  redirect_uris text[] not null,
  audiences text[] not null,
  -- Tokens issued before this instant are dead: one row ends them all.
  revoked_before timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null
);

create table {schema}.oauth_client_secrets (
  id text collate "C" primary key,
  client_id text collate "C" not null references {schema}.oauth_clients on delete cascade,
  digest bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index oauth_client_secrets_client on {schema}.oauth_client_secrets (client_id);

-- What somebody allowed a client to do. Without a user, the client acts for its own organization.
create table {schema}.oauth_grants (
  id text collate "C" primary key,
  client_id text collate "C" not null references {schema}.oauth_clients on delete cascade,
  user_id text collate "C" references {schema}.users,
  organization_ids text[] not null,
  scopes text[] not null,
  audience text not null,
  created_at timestamptz not null,
  -- No token of the grant outlives this.
  expires_at timestamptz not null,
  -- A grant dies by this one row; its tokens are not touched.
  revoked_at timestamptz
);

create index oauth_grants_client on {schema}.oauth_grants (client_id);
create index oauth_grants_user on {schema}.oauth_grants (user_id);

-- Looked up by digest alone and never joined by anything but the grant, so that it can be partitioned by digest.
create table {schema}.oauth_tokens (
  digest bytea primary key,
  id text collate "C" not null,
  kind text not null check (kind in ('access_token', 'refresh_token')),
  grant_id text collate "C" not null references {schema}.oauth_grants on delete cascade,
  scopes text[] not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);

create index oauth_tokens_id on {schema}.oauth_tokens (id);
create index oauth_tokens_grant on {schema}.oauth_tokens (grant_id);
create index oauth_tokens_expiry on {schema}.oauth_tokens (expires_at);
