grant select, insert, update, delete on {schema}.own_api to {role};
