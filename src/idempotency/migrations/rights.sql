grant select, insert, update, delete on {schema}.idempotency_keys to {role};
