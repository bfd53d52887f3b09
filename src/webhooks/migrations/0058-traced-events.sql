-- The span that has caused an event (W3C Trace Context); null where that was not traced.
alter table {schema}.webhook_events add column traceparent text;
