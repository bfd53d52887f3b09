-- Entries are never changed. To lock those that are deleted by age, PostgreSQL asks for the right to update some column.
grant select, insert, update (id), delete on {schema}.audit_log to {role};
