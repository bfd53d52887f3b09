grant select, insert, update on {schema}.secret_key to {role};
