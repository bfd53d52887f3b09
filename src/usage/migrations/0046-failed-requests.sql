-- Requests that were answered with an error, for a week: who asked for what in which version, and how it ended. Nothing of what
-- was sent, and nothing that is secret.
create table {schema}.failed_requests (
  id text collate "C" primary key,
  request_id text collate "C" not null,
  at timestamptz not null,
  client_id text collate "C",
  -- Null where no operation matched; the route is a pattern, never an address.
  operation text,
  method text not null,
  route text not null,
  version text collate "C" not null,
  status integer not null,
  code text,
  duration_ms integer not null
);

create index failed_requests_by_request on {schema}.failed_requests (request_id);
create index failed_requests_of_client on {schema}.failed_requests (client_id, id) where client_id is not null;
