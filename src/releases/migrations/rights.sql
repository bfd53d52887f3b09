-- The ledger is append-only.
grant select, insert on {schema}.releases, {schema}.release_notices to {role};
