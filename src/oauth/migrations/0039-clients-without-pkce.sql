-- Of a confidential client that was registered otherwise it is not required; codes of its requests may have no challenge.
alter table {schema}.oauth_clients add column requires_pkce boolean not null default true
  check (requires_pkce or kind <> 'public');
alter table {schema}.oauth_codes alter column code_challenge drop not null;
