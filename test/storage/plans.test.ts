import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BY_INDEX, setUp } from '../../src/storage/postgres/settings.ts';
import { knownStatements, type Statement, withSchema } from '../../src/storage/statement.ts';
import { emptyTables, fillTables } from '../support/database/fill-tables.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { loadStores, statementsOfService } from '../support/database/service-statements.ts';

const SCHEMA = 'dateline_sandbox';
const FEW = 3;
const MANY = 2_000;

/** What is read as a whole, or whose way may depend on what the tables hold. All other statements go one way, always. */
const elsewise: Readonly<Record<string, readonly string[]>> = {
  'a table of a few rows': [
    'select_webhook_backlog',
    'read_standby_leases',
    'list_nodes',
    'read_own_api',
    'remove_own_api',
    'select_oauth_signing_keys',
    'select_oauth_rsa_signing_keys',
    'delete_usage_writers',
  ],
  'a page or a sum that a person asks for': [
    'search_organizations',
    'search_users',
    'search_clients',
    'search_webhook_endpoints',
    'list_products_after',
    'list_products_from',
    'select_usage_at_risk',
    'select_refused_clients',
    'count_requests',
    'sessions_of_user',
    'tokens_of_grant',
    'list_webhook_events_by_type',
    'list_pending_webhook_events',
    'list_exhausted_webhook_events',
    'list_held_webhook_events',
    'list_cancelled_webhook_events',
    'list_webhook_attempts_of_endpoint',
    'last_failed_webhook_attempts',
    'list_all_pending_webhook_events',
    'list_all_exhausted_webhook_events',
    'list_all_held_webhook_events',
    'list_all_cancelled_webhook_events',
    'count_webhook_queue',
    'select_pinned_webhook_endpoints',
    'live_grants_of_user',
    'live_grants_of_client',
    'live_grants_by_id',
  ],
  'a change that a person or an operator makes, to many rows': [
    'disable_endpoints_of_ended_access',
    'organizations_of_client_asked_for_scopes',
    'update_lost_scopes_of_webhook_endpoints',
    'release_withheld_webhook_events',
    'hold_pending_webhook_events',
    'hold_pending_webhook_events_of_organization',
    'cancel_pending_webhook_events',
    'cancel_held_webhook_events',
    'recover_webhook_events',
    'put_back_recovered_webhook_events',
    'burn_codes_of_user_and_client',
    'forget_consents',
    'delete_all_consents',
    'count_people',
    'count_credentials',
    'find_usable_tokens',
    'count_usable_tokens',
    'cut_grants',
    'store_rendered_webhook_payload',
    'organizations_of_client_asked_for_scopes',
    'update_lost_scopes_of_webhook_endpoints',
    'release_withheld_webhook_events',
  ],
  'a part of housekeeping that finds little to do': [
    'mark_used_registrations',
    'put_webhook_events_off_anew',
    'delete_clients',
    'delete_webhook_endpoints',
  ],
};

// With statistics of a few events, PostgreSQL takes any of an endpoint's indexes for as good as the one of its due events.
const OF_AN_ENDPOINT =
  /webhook_events by webhook_events_(due|by_type|of_endpoint|undelivered) \(endpoint_id.*\)/;

const CONNECT_MS = 60_000;

describe('plans', () => {
  let database: PostgresDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    await loadStores();
    database = await createPostgresDatabase({ migrated: true });
    client = new pg.Client(database.adminUrl);
    await client.connect();
    await setUp(client, BY_INDEX, CONNECT_MS);
  });
  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  it('[outside2 15] are the same with missing, stale and good statistics, and by an index of every table that grows', async () => {
    const states: Readonly<Record<string, () => Promise<unknown>>> = {
      'empty, never analysed': async () => {},
      'grown, never analysed': () => fillTables(client, SCHEMA, { from: 1, to: MANY }),
      'small, analysed': async () => {
        await emptyTables(client, SCHEMA);
        await fillTables(client, SCHEMA, { from: 1, to: FEW });
        await client.query('vacuum analyze');
      },
      'grown, analysed when they were small': () => fillTables(client, SCHEMA, { from: FEW + 1, to: MANY }),
      'grown, analysed': () => client.query('vacuum analyze'),
    };
    const hot = statementsOfService().filter(({ name }) => !Object.values(elsewise).flat().includes(name));
    expect(hot.length).toBeGreaterThan(80);
    const ways = new Map<string, Map<string, string>>(hot.map(({ name }) => [name, new Map()]));
    for (const [state, reach] of Object.entries(states)) {
      await reach();
      for (const statement of hot) ways.get(statement.name)?.set(state, await wayOf(client, statement));
    }
    const findings = [...ways].flatMap(([name, byState]) => {
      const different = new Set(byState.values()).size > 1;
      const whole = [...byState.values()].some((way) => way.includes('as a whole'));
      return different || whole ? [{ name, ...Object.fromEntries(byState) }] : [];
    });
    expect(findings).toEqual([]);
  });

  it('[who broke] of searches are by the indexes of words, once tables have grown', async () => {
    await emptyTables(client, SCHEMA);
    await fillTables(client, SCHEMA, { from: 1, to: MANY });
    await client.query(`update ${SCHEMA}.organizations set deleted_at = null; update ${SCHEMA}.users set deleted_at = null;
      update ${SCHEMA}.oauth_clients set deleted_at = null; update ${SCHEMA}.webhook_endpoints set deleted_at = null`);
    await client.query('vacuum analyze');
    const searches = statementsOfService().filter(({ name }) => name.startsWith('search_'));
    const ways: Record<string, string> = {};
    for (const search of searches) ways[search.name] = await wayOf(client, search);
    expect(ways).toEqual({
      search_organizations: 'organizations by organizations_words ()',
      search_users: 'users by users_words ()',
      search_clients:
        'oauth_clients by oauth_clients_redirect_uris (redirect_uris); oauth_clients by oauth_clients_words ()',
      search_webhook_endpoints: 'webhook_endpoints by webhook_endpoints_words ()',
    });
  });

  it('are kept by each connection: every statement has a name', () => {
    expect(knownStatements().filter(({ name }) => !/^\w+$/.test(name))).toEqual([]);
  });

  it('are excused for no statement that is gone', () => {
    const names = statementsOfService().map(({ name }) => name);
    expect(
      Object.values(elsewise)
        .flat()
        .filter((name) => !names.includes(name)),
    ).toEqual([]);
  });
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: readonly Plan[];
}

/** How each table of a statement is read: by which index, and which of its columns. In what order they are joined does not matter then. */
async function wayOf(client: pg.Client, { text }: Statement): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (generic_plan, format json) ${withSchema(text, SCHEMA)}`,
  );
  const reads = rows.flatMap((row) => readsOf(row['QUERY PLAN'][0].Plan));
  return reads
    .map((read) => read.replace(OF_AN_ENDPOINT, 'webhook_events of an endpoint'))
    .sort()
    .join('; ');
}

function readsOf(plan: Plan): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans: plans = [] } = plan;
  const inside = plans.flatMap(readsOf);
  if (table === undefined || type === 'ModifyTable') return inside;
  if (type === 'Bitmap Heap Scan')
    return [...inside, ...bitmapsOf(plan).map((index) => readBy(table, index))];
  return [...inside, readBy(table, plan)];
}

function bitmapsOf({ Plans: plans = [] }: Plan): Plan[] {
  return plans.flatMap((plan) => (plan['Node Type'] === 'Bitmap Index Scan' ? [plan] : bitmapsOf(plan)));
}

function readBy(
  table: string,
  { 'Node Type': type, 'Index Name': index, 'Index Cond': condition = '' }: Plan,
): string {
  if (type === 'Tid Scan') return `${table} by place`;
  if (index === undefined) return `${table} as a whole`;
  const columns = [...condition.matchAll(/(\w+)\)* (?:=|<|>|<=|>=|@>|&&) /g)].map(([, column]) => column);
  return `${table} by ${index} (${[...new Set(columns)].sort().join(', ')})`;
}
