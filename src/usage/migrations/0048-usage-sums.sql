-- Sums of usage_counts, written with them: what reports of a quarter read instead of each client's operations by day.
create table {schema}.usage_days (
  day date not null,
  choice text not null,
  version text collate "C",
  requests bigint not null,
  unique nulls not distinct (day, choice, version)
);

create table {schema}.usage_weeks (
  -- The Monday that it begins with.
  week date not null,
  choice text not null,
  version text collate "C",
  client_id text collate "C",
  requests bigint not null,
  -- The last day of this week that has any.
  last_day date not null,
  unique nulls not distinct (week, choice, version, client_id)
);

-- No counts come in between.
lock table {schema}.usage_counts in share row exclusive mode;

insert into {schema}.usage_days (day, choice, version, requests)
select day, choice, version, sum(requests) from {schema}.usage_counts group by day, choice, version;

insert into {schema}.usage_weeks (week, choice, version, client_id, requests, last_day)
select date_trunc('week', day)::date, choice, version, client_id, sum(requests), max(day)
from {schema}.usage_counts group by 1, 2, 3, 4;
