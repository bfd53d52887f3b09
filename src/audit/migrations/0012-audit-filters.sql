-- Lists are read newest first, and ids sort by time: each filter has its entries in that order.
create index audit_log_user on {schema}.audit_log (user_id, id) where user_id is not null;
create index audit_log_organization on {schema}.audit_log (organization_id, id) where organization_id is not null;

drop index {schema}.audit_log_client;
create index audit_log_client on {schema}.audit_log (client_id, id) where client_id is not null;
