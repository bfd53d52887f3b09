grant select, insert, update on {schema}.webhook_backlog to {role};
grant select, insert, update, delete on
  {schema}.webhook_endpoints, {schema}.webhook_secrets, {schema}.webhook_lanes, {schema}.webhook_payloads,
  {schema}.webhook_events, {schema}.webhook_recoveries to {role};
-- Never changed. To lock what is deleted by age, PostgreSQL asks for the right to update some column.
grant select, insert, update (id), delete on {schema}.occurrences, {schema}.webhook_attempts to {role};
grant select, insert, update (occurrence_id), delete on {schema}.published_occurrences to {role};
