-- One row, written when the first start gave this database its first operator key and, in the sandbox, its demo data.
create table {schema}.quickstart (
  only_row boolean primary key default true check (only_row),
  seeded_at timestamptz not null
);
