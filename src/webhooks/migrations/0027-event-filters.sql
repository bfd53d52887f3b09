-- What people look for among many events that were delivered: those of one kind, and those that were not.
create index webhook_events_by_type on {schema}.webhook_events (endpoint_id, type, id);
create index webhook_events_undelivered on {schema}.webhook_events (endpoint_id, state, id) where state <> 'delivered';
drop index {schema}.webhook_events_unsent;
drop index {schema}.webhook_events_unsent_of_organization;
-- Events outlive their endpoint.
create index webhook_endpoints_ever_of_organization on {schema}.webhook_endpoints (organization_id, id);
