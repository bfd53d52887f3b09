import { beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../src/storage/database.ts';
import { type Statement, statement } from '../../src/storage/statement.ts';
import { selectAttempts, selectEvents } from '../../src/webhooks/events/store.ts';
import { runAsAdmin } from '../support/database/run-as-admin.ts';
import { current } from '../support/service/build-versions.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const ROWS = 100_000;
const LIMIT = 51;
const PLANS = ['force_custom_plan', 'force_generic_plan'];
/** Of one endpoint. */
const EXHAUSTED_MAX = 100;
const id = (prefix: string, place: number) => `${prefix}_${String(place).padStart(22, '0')}`;

// Twenty organizations with two endpoints each, one after the other; one event in a thousand is exhausted.
const FILL_EVENTS = statement(
  'fill_events',
  `insert into {schema}.webhook_events
     (id, occurrence_id, endpoint_id, organization_id, type, api_version, format, created_at, state)
   select 'evt_' || lpad(n::text, 22, '0'), 'occ', 'whe_' || lpad((n % 40)::text, 22, '0'),
          'org_' || lpad((n % 20)::text, 22, '0'), 'product.created', $2, 'raw', now(),
          case when n % 1000 < 20 then 'exhausted' else 'delivered' end
   from generate_series(1, $1::int) as n`,
);
const FILL_ORGANIZATIONS = statement(
  'fill_organizations',
  `insert into {schema}.organizations (id, name, created_at)
   select 'org_' || lpad(n::text, 22, '0'), 'Many events', now() from generate_series(0, 19) as n`,
);
const FILL_ENDPOINTS = statement(
  'fill_endpoints',
  `insert into {schema}.webhook_endpoints
     (id, organization_id, url, format, events, pinned_version, created_at, modified_at)
   select 'whe_' || lpad(n::text, 22, '0'), 'org_' || lpad((n % 20)::text, 22, '0'), 'https://example.com', 'raw',
          array['*'], $1, now(), now()
   from generate_series(0, 39) as n`,
);
const FILL_ATTEMPTS = statement(
  'fill_attempts',
  `insert into {schema}.webhook_attempts
     (id, event_id, endpoint_id, organization_id, started_at, duration_ms, status, answer)
   select 'wha_' || substr(id, 5), id, endpoint_id, organization_id, now(), 5, 200, 'ok'
   from {schema}.webhook_events`,
);
// PostgreSQL samples 300 rows for each unit of the target.
const USE_PLANS = statement('use_plans', `select set_config('plan_cache_mode', $1, true)`);

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

describe('webhook lists with 100,000 rows (PostgreSQL)', () => {
  const environments = useTestEnvironments('PostgreSQL');
  beforeAll(async () => {
    const { session } = environments.sandbox;
    await session.run(FILL_ORGANIZATIONS, []);
    await session.run(FILL_ENDPOINTS, [current]);
    await session.run(FILL_EVENTS, [ROWS, current]);
    await session.run(FILL_ATTEMPTS, []);
    // Every row is sampled: plans must not depend on which ones are.
    await runAsAdmin(
      environments.sandbox.database,
      `set default_statistics_target = ${Math.ceil(ROWS / 300 + 1)};
       analyze {schema}.webhook_events; analyze {schema}.webhook_attempts`,
    );
  }, 120_000);

  /** The database's plan for the statement of a store function. */
  async function scansOf(
    mode: string,
    ask: (session: Session) => Promise<unknown[]>,
    expected?: readonly unknown[],
  ): Promise<Node[]> {
    return environments.sandbox.transaction(async ({ session }) => {
      await session.run(USE_PLANS, [mode]);
      let plan: Node | undefined;
      const explaining: Session = {
        ...session,
        async run<Row>({ name, text }: Statement, parameters: readonly unknown[]): Promise<Row[]> {
          const explain = statement(`explain_${mode}_${name}`, `explain (analyze, format json) ${text}`);
          const [row] = await session.run<{ 'QUERY PLAN': { Plan: Node }[] }>(explain, parameters);
          plan = row?.['QUERY PLAN'][0]?.Plan;
          return session.run<Row>({ name, text }, parameters);
        },
      };
      const found = await ask(explaining);
      if (expected === undefined) expect(found).not.toEqual([]);
      else expect(found).toEqual(expected);
      return nodesOf(plan as Node).filter((node) => node['Relation Name'] !== undefined);
    });
  }

  const organizations = [id('org', 3), id('org', 4)];
  const nothing = { endpointId: null, eventId: null, type: null, state: null };
  const lists: [string, string, (session: Session) => Promise<unknown[]>][] = [
    [
      'attempts',
      'webhook_attempts_of_organization',
      (session) => selectAttempts(session, organizations, { ...nothing, before: null, limit: LIMIT }),
    ],
    [
      'attempts from the middle',
      'webhook_attempts_of_organization',
      (session) =>
        selectAttempts(session, organizations, { ...nothing, before: id('wha', ROWS / 2), limit: LIMIT }),
    ],
    [
      'attempts of an endpoint',
      'webhook_attempts_of_endpoint',
      (session) =>
        selectAttempts(session, organizations, {
          ...nothing,
          endpointId: id('whe', 3),
          before: null,
          limit: LIMIT,
        }),
    ],
    [
      'attempts of an event',
      'webhook_attempts_of_event',
      (session) =>
        selectAttempts(session, organizations, {
          ...nothing,
          eventId: id('evt', 4_003),
          before: null,
          limit: LIMIT,
        }),
    ],
    [
      'events',
      'webhook_events_of_organization',
      (session) => selectEvents(session, organizations, { ...nothing, before: null, limit: LIMIT }),
    ],
    [
      'events of an endpoint',
      'webhook_events_of_endpoint',
      (session) =>
        selectEvents(session, organizations, {
          ...nothing,
          endpointId: id('whe', 3),
          before: null,
          limit: LIMIT,
        }),
    ],
  ];

  it.each(lists)(
    '[webhooks 47] read %s from the end of an index, and no row too many',
    async (_what, index, ask) => {
      for (const mode of PLANS)
        for (const scan of await scansOf(mode, ask))
          expect(scan).toMatchObject({
            'Node Type': 'Index Scan',
            'Index Name': index,
            ...noneTooMany(scan),
          });
    },
  );

  it('[webhooks 47] find the few exhausted events among all the others', async () => {
    const failed = { ...nothing, state: 'exhausted', before: null, limit: LIMIT } as const;
    for (const mode of PLANS) {
      const scans = await scansOf(mode, (session) => selectEvents(session, organizations, failed));
      const ofEvents = scans.filter((scan) => scan['Relation Name'] === 'webhook_events');
      expect(ofEvents.length).toBeGreaterThan(0);
      for (const scan of ofEvents) {
        expect(nodesOf(scan).map((node) => node['Index Name'])).toContain('webhook_events_undelivered');
        noneTooMany(scan);
      }
    }
  });

  const unmatched = [
    ['type', { type: 'product.archived' }],
    ['state', { state: 'cancelled' }],
    ['type of a state', { type: 'product.archived', state: 'exhausted' }],
    ['type that was delivered', { type: 'product.archived', state: 'delivered' }],
    ['type at an endpoint', { type: 'product.archived', endpointId: id('whe', 3) }],
    ['state at an endpoint', { state: 'held', endpointId: id('whe', 3) }],
  ] as const;
  it.each(unmatched)('[outside 22] read no row for a %s without a match', async (_what, filter) => {
    for (const mode of PLANS) {
      const asked = { ...nothing, ...filter, before: null, limit: LIMIT };
      const scans = await scansOf(mode, (session) => selectEvents(session, organizations, asked), []);
      for (const scan of scans.filter((one) => one['Relation Name'] === 'webhook_events')) {
        expect(scan['Actual Rows']).toBe(0);
        // The few exhausted ones are looked at for their type.
        expect(scan['Rows Removed by Filter'] ?? 0).toBeLessThanOrEqual(
          'state' in filter ? EXHAUSTED_MAX : 0,
        );
      }
    }
  });

  function noneTooMany(scan: Node) {
    expect(scan['Actual Rows']).toBeLessThanOrEqual(LIMIT);
    expect(scan['Rows Removed by Filter'] ?? 0).toBe(0);
    return {};
  }
});

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
