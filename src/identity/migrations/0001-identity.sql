-- Ids sort by the time they were made, in byte order: collation "C" makes the index agree.
create table {schema}.organizations (
  id text collate "C" primary key,
  name text not null,
  created_at timestamptz not null
);

create table {schema}.users (
  id text collate "C" primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  blocked_at timestamptz,
  created_at timestamptz not null
);

-- Nobody has two accounts that differ only in the case of their address.
create unique index users_email on {schema}.users (lower(email));

create table {schema}.memberships (
  organization_id text collate "C" not null references {schema}.organizations,
  user_id text collate "C" not null references {schema}.users,
  created_at timestamptz not null,
  primary key (user_id, organization_id)
);

create index memberships_organization on {schema}.memberships (organization_id, user_id);

create table {schema}.operator_keys (
  id text collate "C" primary key,
  name text not null,
  digest bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
