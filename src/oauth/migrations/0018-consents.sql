-- What a user has allowed a client before: who asks for no more is not asked again.
create table {schema}.oauth_consents (
  user_id text collate "C" not null references {schema}.users on delete cascade,
  client_id text collate "C" not null references {schema}.oauth_clients on delete cascade,
  audience text not null,
  scopes text[] not null,
  organization_ids text[] not null,
  given_at timestamptz not null,
  primary key (user_id, client_id, audience)
);

create index oauth_consents_client on {schema}.oauth_consents (client_id);

-- The client did not name its only redirect URI, and so need not name it again for the code (RFC 6749 §4.1.3).
alter table {schema}.oauth_codes add column redirect_uri_omitted boolean not null default false;
