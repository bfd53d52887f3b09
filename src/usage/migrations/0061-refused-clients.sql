-- The version that a failed request asked for. Null where it named none, or no text that could be one.
alter table {schema}.failed_requests add column requested_version text collate "C";

-- Who asks for a version that a release has removed, since that release.
create table {schema}.refused_clients (
  version text collate "C" not null,
  -- Null for all requests whose caller is not known. Not a reference: the row stays when the client goes.
  client_id text collate "C",
  -- Null where no operation matched.
  operation text collate "C",
  -- When the version was removed. After an undo and another release, counting begins anew.
  since timestamptz not null,
  requests bigint not null,
  last_at timestamptz not null,
  unique nulls not distinct (version, client_id, operation)
);

create index refused_clients_by_age on {schema}.refused_clients (last_at);
