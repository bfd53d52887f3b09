-- What organizations were told about releases, so that whichever node comes first tells it, once.
create table {schema}.release_notices (
  kind text not null,
  version text collate "C" not null,
  -- Of the release: one that is moved is told of again.
  effective_at timestamptz not null,
  -- How long before it; 0 for the release itself.
  days_ahead integer not null,
  told_at timestamptz not null,
  primary key (kind, version, effective_at, days_ahead)
);
