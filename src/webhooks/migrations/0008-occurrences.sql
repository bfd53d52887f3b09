-- What happened, written in the transaction that made it happen.
create table {schema}.occurrences (
  id text collate "C" primary key,
  type text not null,
  -- Whom it concerns: their endpoints may be told.
  organization_ids text[] not null,
  -- As the newest version tells it.
  data jsonb not null,
  occurred_at timestamptz not null
);
