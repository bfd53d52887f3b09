import pg from 'pg';
import { firstIdAt } from '../src/kernel/ids.ts';

const SCHEMA = 'dateline_sandbox';

/** How ids of today begin. Housekeeping reads the age of many things from their ids, and would delete those of 1970. */
const TODAY = firstIdAt('', new Date()).slice(1, 11);

/** The id of a thing with an age, by its number. */
export const recentId = (prefix: string, number: number): string =>
  `${prefix}_${TODAY}${String(number).padStart(12, '0')}`;

const recent = (prefix: string, number: string): string =>
  `'${prefix}_${TODAY}' || lpad((${number})::text, 12, '0')`;

/** Ids that grow as ours do: a prefix and 22 characters. */
const id = (prefix: string, number: string): string => `'${prefix}_' || lpad((${number})::text, 22, '0')`;

/** How much there is, until when, and what the clients do. SQL speaks of the number of a client as `n`. */
export interface Filling {
  /** The last moment, as SQL. */
  now: string;
  users: number;
  clients: number;
  grants: number;
  tokens: number;
  endpoints: number;
  events: number;
  failures: number;
  auditEntries: number;
  /** Days with usage, the last one among them. */
  days: number;
  /** The version of a client, an endpoint, an event or a failed request, as SQL. */
  version: string;
  choice: string;
  operation: string;
}

/** A service that has been busy for a quarter. */
const busyQuarter = ([deprecated, current, next]: readonly string[]): Filling => ({
  now: 'now()',
  users: 20_000,
  clients: 10_000,
  grants: 250_000,
  tokens: 1_000_000,
  endpoints: 2_000,
  events: 1_000_000,
  failures: 200_000,
  auditEntries: 500_000,
  days: 90,
  version: `case n % 10 when 0 then '${deprecated}' when 1 then '${next}' else '${current}' end`,
  choice: `case when n % 4 = 0 then 'defaulted' else 'pinned' end`,
  operation: `'products:list'`,
});

/** Has the database itself make the data. */
export async function fillForConsole(databaseUrl: string, versions: readonly string[]): Promise<void> {
  const session = new pg.Client(databaseUrl);
  await session.connect();
  for (const [what, sql] of Object.entries(fillingSteps(busyQuarter(versions)))) {
    console.error(`console: adding ${what}`);
    await session.query(sql.replaceAll('{schema}', SCHEMA));
  }
  console.error('console: analyzing');
  await session.query('vacuum analyze');
  await session.end();
}

/** What to run, in this order; `{schema}` is to be replaced. */
export function fillingSteps(filling: Filling): Record<string, string> {
  const { now, users, clients, grants, tokens, endpoints, events, failures, auditEntries, days } = filling;
  const { version, choice, operation } = filling;
  /** Where each number of a series stands within the last 90 days, the last ones now. */
  const ago = (number: string, count: number): string =>
    `${now} - interval '90 days' * (1 - ${number}::float8 / ${count})`;
  return {
    organizations: `
      insert into {schema}.organizations (id, name, created_at)
      select ${id('org', 'n')}, 'Organization ' || n, ${ago('n', 1_000)} from generate_series(1, 1000) n`,
    users: `
      insert into {schema}.users (id, email, name, password_hash, created_at)
      select ${id('usr', 'n')}, 'user-' || n || '@example.com', 'User ' || n, '-', ${ago('n', users)}
      from generate_series(1, ${users}) n`,
    memberships: `
      insert into {schema}.memberships (organization_id, user_id, created_at)
      select ${id('org', '1 + n % 1000')}, ${id('usr', 'n')}, ${now} from generate_series(1, ${users}) n`,
    clients: `
      insert into {schema}.oauth_clients
        (id, organization_id, name, kind, allowed_grants, scopes, redirect_uris, audiences, created_at)
      select ${id('cli', 'n')}, ${id('org', '1 + n % 1000')}, 'Client ' || n, 'confidential',
             '{client_credentials}', '{products:read}', '{}', '{}', ${ago('n', clients)}
      from generate_series(1, ${clients}) n`,
    grants: `
      insert into {schema}.oauth_grants (id, client_id, user_id, organization_ids, scopes, audience, created_at, expires_at)
      select ${id('gra', 'n')}, ${id('cli', `1 + n % ${clients}`)}, null,
             array[${id('org', `1 + (1 + n % ${clients}) % 1000`)}], '{products:read}', 'us',
             ${ago('n', grants)}, ${now} + interval '30 days'
      from generate_series(1, ${grants}) n`,
    tokens: `
      insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
      select sha256(('token ' || n)::bytea), ${id('tok', 'n')}, 'access_token',
             ${id('gra', `1 + n % ${grants}`)}, '{products:read}', ${ago('n', tokens)}, ${now} + interval '1 day'
      from generate_series(1, ${tokens}) n`,
    endpoints: `
      insert into {schema}.webhook_endpoints
        (id, organization_id, url, format, events, pinned_version, created_at, modified_at)
      select ${id('whe', 'n')}, ${id('org', '1 + n % 1000')}, 'https://receiver-' || n || '.example/hook', 'raw',
             '{*}', ${version}, ${now}, ${now}
      from generate_series(1, ${endpoints}) n`,
    lanes: `
      insert into {schema}.webhook_lanes (endpoint_id, leased_by, leased_until, failing_since, failure_count, last_success_at)
      select ${id('whe', 'n')}, 'nobody', ${now} + interval '1 day',
             case when n % 50 = 0 then ${now} - interval '1 hour' end, case when n % 50 = 0 then 5 else 0 end, ${now}
      from generate_series(1, ${endpoints}) n`,
    events: `
      insert into {schema}.webhook_events
        (id, occurrence_id, endpoint_id, organization_id, type, api_version, format, payload_sha256, created_at, state,
         attempt_count, tries, next_attempt_at)
      select ${recent('evt', 'n')}, ${recent('occ', 'n')}, ${id('whe', `1 + n % ${endpoints}`)},
             ${id('org', `1 + (1 + n % ${endpoints}) % 1000`)},
             case n % 3 when 0 then 'product.created' when 1 then 'product.updated' else 'token.revoked' end,
             ${version}, 'raw', sha256('x'::bytea), ${ago('n', events)},
             case when n % 100 = 0 then 'exhausted' when n % 100 = 1 then 'pending' else 'delivered' end,
             1, 1, case when n % 100 = 1 then ${now} + interval '1 day' end
      from generate_series(1, ${events}) n`,
    attempts: `
      insert into {schema}.webhook_attempts
        (id, event_id, endpoint_id, organization_id, started_at, duration_ms, status, error, answer, evidence)
      select ${recent('wha', 'n')}, ${recent('evt', 'n')}, ${id('whe', `1 + n % ${endpoints}`)},
             ${id('org', `1 + (1 + n % ${endpoints}) % 1000`)}, ${ago('n', events)}, 40,
             case when n % 100 = 0 then 500 else 200 end, case when n % 100 = 0 then 'status' end, 'ok',
             '{"sentHeaders":{"webhook-id":"evt"},"answerHeaders":{"server":"x"},"stageTimes":{"wait":30}}'
      from generate_series(1, ${events}) n`,
    usage: `
      insert into {schema}.usage_counts (day, choice, version, operation, client_id, requests)
      select (${now} at time zone 'UTC')::date - day, ${choice},
             ${version}, ${operation}, ${id('cli', 'n')}, 1 + (n * day) % 1000
      from generate_series(1, ${clients}) n, generate_series(0, ${days - 1}) day`,
    'usage by day': `
      insert into {schema}.usage_days (day, choice, version, requests)
      select day, choice, version, sum(requests) from {schema}.usage_counts group by 1, 2, 3`,
    'usage by week': `
      insert into {schema}.usage_weeks
        (week, choice, version, client_id, requests, oauth_requests, last_day, api_last_day, operations)
      select date_trunc('week', day)::date, choice, version, client_id, sum(requests),
             coalesce(sum(requests) filter (where operation like 'oauth2:%'), 0), max(day),
             max(day) filter (where operation not like 'oauth2:%'),
             array_agg(distinct operation)
      from {schema}.usage_counts group by 1, 2, 3, 4`,
    'failed requests': `
      insert into {schema}.failed_requests
        (id, request_id, at, client_id, operation, method, route, version, status, code, duration_ms)
      select ${recent('frq', 'n')}, ${id('req', 'n')}, ${now} - interval '6 days' * (1 - n::float8 / ${failures}),
             ${id('cli', `1 + n % ${clients}`)}, 'products:list', 'GET', '/v1/products/', ${version},
             case when n % 20 = 0 then 500 else 422 end,
             case when n % 20 = 0 then 'internal_error' else 'validation_failed' end, 3
      from generate_series(1, ${failures}) n`,
    'audit entries': `
      insert into {schema}.audit_log
        (id, at, actor_type, actor_id, action, client_id, organization_id, details)
      select ${recent('aud', 'n')}, ${ago('n', auditEntries)}, 'operator', ${id('opk', '1 + n % 10')},
             case when n % 5000 = 0 then 'client.deleted' else 'client.updated' end, ${id('cli', `1 + n % ${clients}`)},
             ${id('org', '1 + n % 1000')}, '{}'
      from generate_series(1, ${auditEntries}) n`,
  };
}
