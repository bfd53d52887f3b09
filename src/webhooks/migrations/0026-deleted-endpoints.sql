-- Deleted endpoints leave when nothing of them is kept any more.
create index webhook_endpoints_deleted on {schema}.webhook_endpoints (deleted_at) where deleted_at is not null;
