grant select, insert on {schema}.quickstart to {role};
