-- What is due, as one node has measured it for all: one row at most.
create table {schema}.webhook_backlog (
  id boolean primary key default true check (id),
  measured_at timestamptz not null,
  due integer not null,
  oldest_due_at timestamptz,
  oldest_untaken_at timestamptz
);
