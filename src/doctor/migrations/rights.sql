grant select, insert, update, delete on {schema}.node_sightings, {schema}.nodes to {role};
