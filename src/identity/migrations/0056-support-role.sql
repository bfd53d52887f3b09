-- One more role: support reads, resends and disables.
alter table {schema}.operator_keys drop constraint operator_keys_role_check;
alter table {schema}.operator_keys
  add constraint operator_keys_role_check check (role in ('admin', 'viewer', 'support', 'publisher'));
