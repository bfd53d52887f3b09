-- What a key may do. Keys that exist may do everything, as before.
alter table {schema}.operator_keys
  add column role text not null default 'admin' check (role in ('admin', 'viewer', 'publisher'));
