-- Who did what, when and why. Only ever added to; old rows leave by time.
create table {schema}.audit_log (
  id text collate "C" primary key,
  at timestamptz not null,
  actor_type text not null check (actor_type in ('operator', 'client', 'user', 'system')),
  actor_id text collate "C",
  action text not null,
  token_id text collate "C",
  grant_id text collate "C",
  client_id text collate "C",
  user_id text collate "C",
  organization_id text collate "C",
  reason text,
  details jsonb not null
);

create index audit_log_token on {schema}.audit_log (token_id) where token_id is not null;
create index audit_log_grant on {schema}.audit_log (grant_id) where grant_id is not null;
create index audit_log_client on {schema}.audit_log (client_id) where client_id is not null;
