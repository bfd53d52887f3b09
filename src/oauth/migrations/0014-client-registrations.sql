-- Clients that registered themselves (RFC 7591), with what their registration access token is known by.
create table {schema}.oauth_client_registrations (
  client_id text collate "C" primary key references {schema}.oauth_clients on delete cascade,
  token_digest bytea not null unique,
  auth_method text not null check (auth_method in ('client_secret_basic', 'client_secret_post', 'none'))
);

create index oauth_clients_organization on {schema}.oauth_clients (organization_id);
