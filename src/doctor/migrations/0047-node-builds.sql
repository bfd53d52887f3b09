-- What each node runs, as JSON: for whoever looks at all of them. Null for nodes of older builds.
alter table {schema}.node_sightings add column about text;
