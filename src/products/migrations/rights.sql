grant select, insert, update, delete on {schema}.products to {role};
