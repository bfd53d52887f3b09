grant select, insert, update, delete on {schema}.standby_leases to {role};
