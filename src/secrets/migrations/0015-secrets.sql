-- Which key secrets are sealed under. A node that lacks one of these keys does not start.
create table {schema}.secret_key (
  -- There is one row at most: whoever is first decides.
  is_only boolean primary key default true check (is_only),
  -- What is sealed from now on is sealed under this one.
  active_id text collate "C" not null,
  -- While the key is being changed, something may still be sealed under these.
  former_ids text[] not null,
  active_since timestamptz not null
);
