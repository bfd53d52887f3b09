-- Nodes that read from standbys, a row for each node and standby: see docs/decisions/0064. Whoever ends access reads all of them.
create table {schema}.standby_leases (
  node_id text collate "C" not null,
  -- The address without secrets, as the node was given it.
  standby text collate "C" not null,
  -- Raised by each renewal, and never used twice.
  renewal bigint not null,
  -- The highest renewal that the standby has shown on every connection that the node still reads by.
  shown bigint not null,
  primary key (node_id, standby)
);
