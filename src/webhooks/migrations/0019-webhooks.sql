-- Where an organization wants to be told what happens. Publishing locks these rows, so what workers note at every
-- delivery is kept apart, in webhook_lanes.
create table {schema}.webhook_endpoints (
  id text collate "C" primary key,
  organization_id text collate "C" not null references {schema}.organizations,
  url text not null,
  format text not null,
  events text[] not null,
  -- As it was chosen. Once it is removed, the nearest maintained version counts instead.
  pinned_version text collate "C" not null,
  description text,
  max_per_second integer,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- Null while it is enabled.
  disabled_at timestamptz,
  disabled_reason text,
  deleted_at timestamptz
);
create index webhook_endpoints_of_organization on {schema}.webhook_endpoints (organization_id, id)
  where deleted_at is null;

-- Sealed under the secret key. One that was replaced signs along until it expires.
create table {schema}.webhook_secrets (
  id text collate "C" primary key,
  endpoint_id text collate "C" not null references {schema}.webhook_endpoints,
  sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index webhook_secrets_of_endpoint on {schema}.webhook_secrets (endpoint_id);

-- Who delivers to an endpoint at the moment, and how that goes.
create table {schema}.webhook_lanes (
  endpoint_id text collate "C" primary key references {schema}.webhook_endpoints,
  leased_by text,
  leased_until timestamptz,
  -- The receiver has asked for a pause.
  not_before timestamptz,
  -- Since when, and how often, nothing but failures.
  failing_since timestamptz,
  failure_count integer not null default 0,
  last_success_at timestamptz
);

-- What is sent: the same bytes for every endpoint with the same version and format, and for ever.
create table {schema}.webhook_payloads (
  occurrence_id text collate "C" not null,
  api_version text collate "C" not null,
  format text not null,
  -- Null: it could not be rendered, and is tried again when it is sent.
  body bytea,
  primary key (occurrence_id, api_version, format)
);

-- One occurrence as one endpoint is told of it.
create table {schema}.webhook_events (
  id text collate "C" primary key,
  occurrence_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  organization_id text collate "C" not null,
  type text not null,
  api_version text collate "C" not null,
  format text not null,
  payload_sha256 bytea,
  created_at timestamptz not null,
  state text not null,
  attempt_count integer not null default 0,
  -- Of the present round: a redelivery begins a new one.
  tries integer not null default 0,
  -- Only of pending ones.
  next_attempt_at timestamptz,
  -- Of one that is being recovered: by whom, and what it was before.
  recovery_id text collate "C",
  recovered_from text
);
create index webhook_events_due on {schema}.webhook_events (endpoint_id, next_attempt_at, id)
  where state = 'pending';
create index webhook_events_of_endpoint on {schema}.webhook_events (endpoint_id, id);
create index webhook_events_of_organization on {schema}.webhook_events (organization_id, id);
create index webhook_events_unrendered on {schema}.webhook_events (occurrence_id) where payload_sha256 is null;
-- Few, and what people look for.
create index webhook_events_unsent on {schema}.webhook_events (endpoint_id, id)
  where state in ('exhausted', 'held');
create index webhook_events_unsent_of_organization on {schema}.webhook_events (organization_id, state, id)
  where state in ('exhausted', 'held');
create index webhook_events_of_recovery on {schema}.webhook_events (recovery_id, state)
  where recovery_id is not null;

create table {schema}.webhook_attempts (
  id text collate "C" primary key,
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  organization_id text collate "C" not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- Null where no answer came.
  status integer,
  error text,
  -- The beginning of the answer.
  answer text
);
create index webhook_attempts_of_event on {schema}.webhook_attempts (event_id, id);
create index webhook_attempts_of_endpoint on {schema}.webhook_attempts (endpoint_id, id);
create index webhook_attempts_of_organization on {schema}.webhook_attempts (organization_id, id);

create table {schema}.webhook_recoveries (
  id text collate "C" primary key,
  endpoint_id text collate "C" not null references {schema}.webhook_endpoints,
  since timestamptz not null,
  started_at timestamptz not null,
  -- How many events it began with.
  event_count integer not null,
  cancelled_at timestamptz
);
create index webhook_recoveries_of_endpoint on {schema}.webhook_recoveries (endpoint_id, id);

-- An answer that is kept for those who ask again may hold the secret of a new endpoint.
alter table {schema}.idempotency_keys add column is_sealed boolean not null default false;
