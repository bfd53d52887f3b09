import pg from 'pg';

const SCHEMA = 'dateline_sandbox';

/** Ids that grow as ours do: a prefix and 22 characters. */
const id = (prefix: string, number: string): string => `'${prefix}_' || lpad((${number})::text, 22, '0')`;

/** Where each number of a series stands within the last 90 days, the last ones now. */
const ago = (number: string, count: number): string =>
  `now() - interval '90 days' * (1 - ${number}::float8 / ${count})`;

const CLIENTS = 10_000;
const GRANTS = 250_000;
const TOKENS = 1_000_000;
const EVENTS = 1_000_000;
const ENDPOINTS = 2_000;

/** A service that has been busy for a quarter, made by the database itself. */
export async function fillForConsole(databaseUrl: string, versions: readonly string[]): Promise<void> {
  const session = new pg.Client(databaseUrl);
  await session.connect();
  await session.query(`set search_path to ${SCHEMA}`);
  for (const [what, sql] of Object.entries(steps(versions))) {
    console.error(`console: adding ${what}`);
    await session.query(sql);
  }
  console.error('console: analyzing');
  await session.query('vacuum analyze');
  await session.end();
}

function steps([deprecated, current, next]: readonly string[]): Record<string, string> {
  const versionOf = (number: string): string =>
    `case ${number} % 10 when 0 then '${deprecated}' when 1 then '${next}' else '${current}' end`;
  return {
    organizations: `
      insert into organizations (id, name, created_at)
      select ${id('org', 'n')}, 'Organization ' || n, ${ago('n', 1_000)} from generate_series(1, 1000) n`,
    users: `
      insert into users (id, email, name, password_hash, created_at)
      select ${id('usr', 'n')}, 'user-' || n || '@example.com', 'User ' || n, '-', ${ago('n', 20_000)}
      from generate_series(1, 20000) n`,
    memberships: `
      insert into memberships (organization_id, user_id, created_at)
      select ${id('org', '1 + n % 1000')}, ${id('usr', 'n')}, now() from generate_series(1, 20000) n`,
    clients: `
      insert into oauth_clients
        (id, organization_id, name, kind, allowed_grants, scopes, redirect_uris, audiences, created_at)
      select ${id('cli', 'n')}, ${id('org', '1 + n % 1000')}, 'Client ' || n, 'confidential',
             '{client_credentials}', '{products:read}', '{}', '{}', ${ago('n', CLIENTS)}
      from generate_series(1, ${CLIENTS}) n`,
    grants: `
      insert into oauth_grants (id, client_id, user_id, organization_ids, scopes, audience, created_at, expires_at)
      select ${id('gra', 'n')}, ${id('cli', `1 + n % ${CLIENTS}`)}, null,
             array[${id('org', `1 + (1 + n % ${CLIENTS}) % 1000`)}], '{products:read}', 'us',
             ${ago('n', GRANTS)}, now() + interval '30 days'
      from generate_series(1, ${GRANTS}) n`,
    tokens: `
      insert into oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
      select sha256(('token ' || n)::bytea), ${id('tok', 'n')}, 'access_token',
             ${id('gra', `1 + n % ${GRANTS}`)}, '{products:read}', ${ago('n', TOKENS)}, now() + interval '1 day'
      from generate_series(1, ${TOKENS}) n`,
    endpoints: `
      insert into webhook_endpoints
        (id, organization_id, url, format, events, pinned_version, created_at, modified_at)
      select ${id('whe', 'n')}, ${id('org', '1 + n % 1000')}, 'https://receiver-' || n || '.example/hook', 'raw',
             '{*}', ${versionOf('n')}, now(), now()
      from generate_series(1, ${ENDPOINTS}) n`,
    lanes: `
      insert into webhook_lanes (endpoint_id, leased_by, leased_until, failing_since, failure_count, last_success_at)
      select ${id('whe', 'n')}, 'nobody', now() + interval '1 day',
             case when n % 50 = 0 then now() - interval '1 hour' end, case when n % 50 = 0 then 5 else 0 end, now()
      from generate_series(1, ${ENDPOINTS}) n`,
    events: `
      insert into webhook_events
        (id, occurrence_id, endpoint_id, organization_id, type, api_version, format, payload_sha256, created_at, state,
         attempt_count, tries, next_attempt_at)
      select ${id('evt', 'n')}, ${id('occ', 'n')}, ${id('whe', `1 + n % ${ENDPOINTS}`)},
             ${id('org', `1 + (1 + n % ${ENDPOINTS}) % 1000`)},
             case n % 3 when 0 then 'product.created' when 1 then 'product.updated' else 'token.revoked' end,
             ${versionOf('n')}, 'raw', sha256('x'::bytea), ${ago('n', EVENTS)},
             case when n % 100 = 0 then 'exhausted' when n % 100 = 1 then 'pending' else 'delivered' end,
             1, 1, case when n % 100 = 1 then now() + interval '1 day' end
      from generate_series(1, ${EVENTS}) n`,
    attempts: `
      insert into webhook_attempts
        (id, event_id, endpoint_id, organization_id, started_at, duration_ms, status, error, answer, evidence)
      select ${id('wha', 'n')}, ${id('evt', 'n')}, ${id('whe', `1 + n % ${ENDPOINTS}`)},
             ${id('org', `1 + (1 + n % ${ENDPOINTS}) % 1000`)}, ${ago('n', EVENTS)}, 40,
             case when n % 100 = 0 then 500 else 200 end, case when n % 100 = 0 then 'status' end, 'ok',
             '{"sentHeaders":{"webhook-id":"evt"},"answerHeaders":{"server":"x"},"stageTimes":{"wait":30}}'
      from generate_series(1, ${EVENTS}) n`,
    usage: `
      insert into usage_counts (day, choice, version, operation, client_id, requests)
      select (now() at time zone 'UTC')::date - day, case when n % 4 = 0 then 'defaulted' else 'pinned' end,
             ${versionOf('n')}, 'list_products', ${id('cli', 'n')}, 1 + (n * day) % 1000
      from generate_series(1, ${CLIENTS}) n, generate_series(0, 89) day`,
    'usage by day': `
      insert into usage_days (day, choice, version, requests)
      select day, choice, version, sum(requests) from usage_counts group by 1, 2, 3`,
    'usage by week': `
      insert into usage_weeks
        (week, choice, version, client_id, requests, last_day, api_last_day, operations)
      select date_trunc('week', day)::date, choice, version, client_id, sum(requests), max(day), max(day),
             array_agg(distinct operation)
      from usage_counts group by 1, 2, 3, 4`,
    'failed requests': `
      insert into failed_requests
        (id, request_id, at, client_id, operation, method, route, version, status, code, duration_ms)
      select ${id('frq', 'n')}, ${id('req', 'n')}, now() - interval '6 days' * (1 - n / 200000.0),
             ${id('cli', `1 + n % ${CLIENTS}`)}, 'list_products', 'GET', '/v1/products/', ${versionOf('n')},
             case when n % 20 = 0 then 500 else 422 end,
             case when n % 20 = 0 then 'internal_error' else 'validation_failed' end, 3
      from generate_series(1, 200000) n`,
    'audit entries': `
      insert into audit_log
        (id, at, actor_type, actor_id, action, client_id, organization_id, details)
      select ${id('aud', 'n')}, ${ago('n', 500_000)}, 'operator', ${id('opk', '1 + n % 10')},
             case when n % 5000 = 0 then 'client.deleted' else 'client.updated' end, ${id('cli', `1 + n % ${CLIENTS}`)},
             ${id('org', '1 + n % 1000')}, '{}'
      from generate_series(1, 500000) n`,
  };
}
