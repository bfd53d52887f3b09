-- The processes that serve or deliver, each with its last sign. A process that ends says so; one that was killed, or hangs, does not.
create table {schema}.nodes (
  id text collate "C" primary key,
  -- Its machine and process, for people.
  name text not null,
  -- serve or worker
  kind text not null,
  delivers boolean not null,
  -- That of node_sightings; null where the data folder cannot be read, and for workers.
  folder_id text collate "C",
  -- What it runs, as JSON.
  build text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- Null while it runs, or should.
  stopped_at timestamptz
);
create index nodes_age on {schema}.nodes (seen_at);
