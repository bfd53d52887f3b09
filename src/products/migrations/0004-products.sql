create table {schema}.products (
  id text collate "C" primary key,
  organization_id text collate "C" not null references {schema}.organizations,
  name text not null,
  description text,
  billing text not null check (billing in ('one_time', 'recurring', 'usage')),
  visibility text not null check (visibility in ('public', 'private', 'archived')),
  prices jsonb not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- A deleted product is remembered, so that its id can be told from one that never was.
  deleted_at timestamptz
);

create index products_organization on {schema}.products (organization_id, id) where deleted_at is null;
