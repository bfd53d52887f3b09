-- When it was put off until its next attempt; null where it was not.
alter table {schema}.webhook_events add column put_off_at timestamptz;
