grant select, insert, update, delete on
  {schema}.usage_counts, {schema}.usage_days, {schema}.usage_weeks, {schema}.usage_writers, {schema}.refused_clients
  to {role};
grant select, insert, update (id), delete on {schema}.failed_requests to {role};
