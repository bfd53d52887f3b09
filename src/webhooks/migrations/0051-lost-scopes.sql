-- What the client of an endpoint's maker may not have any more, of what it was asked for when it subscribed: kinds that need
-- it are withheld. Null where no scope was asked for, as in older versions, and for endpoints from before this was noted.
alter table {schema}.webhook_endpoints add column lost_scopes text[];
-- Held for such a scope: sent once that is given back.
alter table {schema}.webhook_events add column withheld boolean not null default false;
