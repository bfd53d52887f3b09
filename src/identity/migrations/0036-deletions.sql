-- Rows stay, without what they said: tokens, audit entries and events refer to them by id.
alter table {schema}.users add column deleted_at timestamptz;
alter table {schema}.organizations add column deleted_at timestamptz;
