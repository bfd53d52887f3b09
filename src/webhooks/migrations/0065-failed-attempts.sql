-- How an endpoint failed last, for lists: those that succeed are many.
create index webhook_attempts_failed on {schema}.webhook_attempts (endpoint_id, id) where error is not null;
