-- Links that let a person set a new password, once. The person holds the value; here is its SHA-256 alone.
create table {schema}.password_links (
  digest bytea primary key,
  user_id text collate "C" not null references {schema}.users on delete cascade,
  expires_at timestamptz not null
);

create index password_links_user on {schema}.password_links (user_id);
create index password_links_expiry on {schema}.password_links (expires_at);
