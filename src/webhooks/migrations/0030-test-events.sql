-- Ordered by an integrator to try an endpoint out: nothing has happened.
alter table {schema}.webhook_events add column is_test boolean not null default false;
