-- What an operator has set of a client: the most that the client may give itself. A field that is not in it is not limited.
alter table {schema}.oauth_clients add column limits jsonb not null default '{}';

-- Each lets one client register itself, within these limits, once.
create table {schema}.oauth_registration_tokens (
  id text collate "C" primary key,
  digest bytea not null unique,
  scopes text[] not null,
  allowed_grants text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index oauth_registration_tokens_expiry on {schema}.oauth_registration_tokens (expires_at);
