-- What was decided about releases, in the order it was decided. Rows are only ever added.
create table {schema}.releases (
  number bigint generated always as identity primary key,
  kind text not null check (kind in ('release', 'undo')),
  version text not null,
  effective_at timestamptz not null,
  -- Not frozen yet: only the sandbox may try a version out before it is.
  rehearsal boolean not null,
  contract_sha256 text not null,
  actor text not null,
  reason text not null,
  decided_at timestamptz not null
);
