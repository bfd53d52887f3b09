-- A key belongs to an organization too. Answers of the last day that do not show theirs are forgotten: they hold a secret.
alter table {schema}.idempotency_keys add column organization_id text collate "C";

update {schema}.idempotency_keys set organization_id = convert_from(body, 'UTF8')::jsonb ->> 'organization_id'
where not is_sealed and length(body) > 0;

delete from {schema}.idempotency_keys where organization_id is null;

alter table {schema}.idempotency_keys alter column organization_id set not null;
alter table {schema}.idempotency_keys drop constraint idempotency_keys_pkey;
alter table {schema}.idempotency_keys add primary key (client_id, subject_id, organization_id, key);
