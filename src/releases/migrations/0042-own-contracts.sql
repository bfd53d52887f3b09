-- The contract of the operator's own API that was released, beside ours.
alter table {schema}.releases add column own_sha256 text;
