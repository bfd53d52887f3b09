-- What was published from outside, by the id that its sender gave it: sent again, it happens once. Kept as long as events.
create table {schema}.published_occurrences (
  organization_id text collate "C" not null,
  given_id text collate "C" not null,
  occurrence_id text collate "C" not null,
  -- Of its type and data: another event must not come under the same id.
  digest bytea not null,
  primary key (organization_id, given_id)
);
-- Old ones leave by age, which the id of the occurrence tells.
create index published_occurrences_by_age on {schema}.published_occurrences (occurrence_id);
