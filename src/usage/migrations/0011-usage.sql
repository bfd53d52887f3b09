-- How often each client used each operation of each API version, by day (UTC). All nodes add to the same rows.
create table {schema}.usage_counts (
  day date not null,
  choice text not null
    check (choice in ('pinned', 'defaulted', 'rejected_malformed', 'rejected_unknown', 'rejected_removed')),
  -- The version that served the requests, or the one they asked for in vain.
  version text collate "C",
  -- Null where no operation matched, or none was looked for.
  operation text collate "C",
  -- Null where nobody was authenticated. Not a reference: counts outlive their client.
  client_id text collate "C",
  requests bigint not null,
  unique nulls not distinct (day, choice, version, operation, client_id)
);

-- The last batch of counts that each process has added: a batch that is sent again is not added again.
create table {schema}.usage_writers (
  id text collate "C" primary key,
  batch bigint not null,
  written_at timestamptz not null
);
