-- Few among many: a revocation in bulk has one entry, which explains every token that it ended.
create index audit_log_bulk_revocations on {schema}.audit_log (id) where action = 'tokens.revoked';
