-- How often each node has written here. A node remembers its number too: one that is lower here, or gone, was restored from
-- a time before.
create table {schema}.node_sightings (
  node_id text collate "C" primary key,
  number bigint not null,
  seen_at timestamptz not null
);
create index node_sightings_age on {schema}.node_sightings (seen_at);
