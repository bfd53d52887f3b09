-- Tokens of the grant that were issued before this instant are dead: one row ends them all.
alter table {schema}.oauth_grants add column revoked_before timestamptz;

-- A deleted client is unknown from then on; its rows leave later, a few at a time.
alter table {schema}.oauth_clients add column deleted_at timestamptz;
