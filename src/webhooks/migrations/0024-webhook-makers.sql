-- Whose access an endpoint depends on: the client that made it, and the user it acted for. Both are null where that was
-- not noted. No foreign keys: an endpoint outlives the rows of a deleted client.
alter table {schema}.webhook_endpoints
  add column made_by_client text collate "C",
  add column made_by_user text collate "C";
create index webhook_endpoints_of_client on {schema}.webhook_endpoints (made_by_client)
  where deleted_at is null and made_by_client is not null;
create index webhook_endpoints_of_user on {schema}.webhook_endpoints (made_by_user)
  where deleted_at is null and made_by_user is not null;
