-- What a client called in a week, and how much of it was OAuth: a release that makes another version the default affects calls to the
-- API, while stock OAuth libraries never name a version.
alter table {schema}.usage_weeks
  -- Of the requests, those to the OAuth endpoints.
  add column oauth_requests bigint not null default 0,
  -- The last day of this week with a request to anything else; null if there is none.
  add column api_last_day date,
  add column operations text[] not null default '{}';

-- No counts come in between.
lock table {schema}.usage_counts in share row exclusive mode;

update {schema}.usage_weeks summed
set oauth_requests = counted.oauth_requests, api_last_day = counted.api_last_day, operations = counted.operations
from (
  select date_trunc('week', day)::date as week, choice, version, client_id,
         coalesce(sum(requests) filter (where operation like 'oauth2:%'), 0) as oauth_requests,
         max(day) filter (where operation is null or operation not like 'oauth2:%') as api_last_day,
         coalesce(array_agg(distinct operation) filter (where operation is not null), '{}') as operations
  from {schema}.usage_counts where client_id is not null group by 1, 2, 3, 4
) counted
where summed.week = counted.week and summed.choice = counted.choice and summed.client_id = counted.client_id
  and coalesce(summed.version, '') = coalesce(counted.version, '');
