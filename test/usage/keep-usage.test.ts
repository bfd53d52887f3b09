import { expect, it } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { cleanUp } from '../../src/housekeeping/keep-house.ts';
import { present } from '../../src/kernel/presence.ts';
import type { OAuthClientId } from '../../src/oauth/types.ts';
import type { Database } from '../../src/storage/database.ts';
import { statement } from '../../src/storage/statement.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';
import { type Day, daysBefore } from '../../src/usage/day.ts';
import { keepUsage } from '../../src/usage/keep-usage.ts';
import { type UsageDimension, type UsageRow, type Use, usageDimensions } from '../../src/usage/types.ts';
import { RETENTION_DAYS, usageChores } from '../../src/usage/usage-chores.ts';
import { createUsageCounter } from '../../src/usage/usage-counter.ts';
import { countedRequests, reportUsage } from '../../src/usage/usage-report.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { current, homeTime, removed } from '../support/service/build-versions.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const NEVER_MS = 1_000_000;
const today = homeTime.slice(0, 10) as Day;

onEmbeddedFirst('usage, kept', (engine) => {
  const environments = useTestEnvironments(engine);

  /** A node: its counter, its keeper, and the problems it reported. */
  function startNode(environment: Environment = environments.sandbox, flushEveryMs = NEVER_MS) {
    const counter = createUsageCounter(environments.clock);
    const delays: unknown[] = [];
    const losses: number[] = [];
    const keeper = keepUsage({
      environment,
      counter,
      flushEveryMs,
      onDelay: (error) => delays.push(error),
      onLoss: (requests) => losses.push(requests),
    });
    return { ...counter, ...keeper, delays, losses };
  }

  /** The sandbox on a database that behaves a little differently. */
  function onDatabase(change: Partial<Database>): Environment {
    const { name, issuer, clock, lifetimes, database } = environments.sandbox;
    return environmentOn({ name, issuer, clock, lifetimes, database: { ...database, ...change } });
  }

  /** Every test counts for clients of its own. */
  async function stored(client: string): Promise<readonly UsageRow[]> {
    const { rows } = await reportUsage(environments.sandbox, {
      from: '2000-01-01' as Day,
      to: '2100-01-01' as Day,
      version: null,
      choice: null,
      clientId: client,
      by: usageDimensions,
      rowsMax: 10_000,
    });
    return rows;
  }

  const total = async (client: string): Promise<number> =>
    (await stored(client)).reduce((sum, { requests }) => sum + requests, 0);

  const use = (client: string, change: Partial<Use> = {}): Use => ({
    choice: 'pinned',
    version: current,
    operation: 'products:list',
    clientId: client as OAuthClientId,
    ...change,
  });

  it('adds to stored counts, with and without a client, an operation and a version', async () => {
    const node = startNode();
    const rejected = use('x', {
      choice: 'rejected_removed',
      version: removed,
      operation: null,
      clientId: null,
    });
    const malformed = { ...rejected, choice: 'rejected_malformed', version: null } as const;
    for (const counted of [use('adds'), rejected, malformed, rejected]) node.count(counted);
    await node.flush();
    for (const counted of [use('adds'), rejected]) node.count(counted);
    await node.flush();
    await node.stop();
    expect(await stored('adds')).toMatchObject([
      {
        day: today,
        choice: 'pinned',
        version: current,
        operation: 'products:list',
        requests: 2,
        lastDay: today,
      },
    ]);
    const { rows } = await reportUsage(environments.sandbox, {
      from: today,
      to: today,
      version: null,
      choice: null,
      clientId: null,
      by: ['client', 'operation', 'choice', 'version'],
      rowsMax: 100,
    });
    const anonymous = rows.filter(({ client }) => client === null);
    expect(anonymous.map(({ choice, version, requests }) => [choice, version, requests])).toEqual([
      ['rejected_removed', removed, 3],
      ['rejected_malformed', null, 1],
    ]);
    // One row each: had the second batch inserted its own rows, the sums would be right and the table would grow.
    const counted = statement('count_rows', 'select 1 from {schema}.usage_counts');
    expect(await environments.sandbox.database.run(counted, [])).toHaveLength(3);
    expect([node.delays, node.losses]).toEqual([[], []]);
  });

  it('is flushed one batch at a time, however many flushes are requested, so that none overtakes another', async () => {
    let [inFlight, most] = [0, 0];
    const node = startNode(
      onDatabase({
        async run<Row>(...query: Parameters<Database['run']>): Promise<Row[]> {
          inFlight += 1;
          most = Math.max(most, inFlight);
          try {
            return await environments.sandbox.database.run<Row>(...query);
          } finally {
            inFlight -= 1;
          }
        },
      }),
    );
    const flushes: Promise<void>[] = [];
    for (let index = 0; index < 50; index += 1) {
      node.count(use('at once'));
      flushes.push(node.flush());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(flushes);
    expect([most, await total('at once')]).toEqual([1, 50]);
    await node.stop();
  });

  it('is summed when several nodes store it at once in different orders, without a deadlock', async () => {
    const operations = Array.from({ length: 60 }, (_, index) => `operation-${index}`);
    const nodes = [startNode(), startNode(), startNode(), startNode()];
    for (let round = 0; round < 10; round += 1) {
      nodes.forEach((node, index) => {
        const inOrder = index % 2 === 0 ? operations : [...operations].reverse();
        for (const operation of inOrder) node.count(use('several', { operation }));
      });
      await Promise.all(nodes.map((node) => node.flush()));
    }
    const rows = await stored('several');
    expect(rows).toHaveLength(60);
    expect(new Set(rows.map(({ requests }) => requests))).toEqual(new Set([40]));
    expect(nodes.flatMap(({ delays }) => delays)).toEqual([]);
    await Promise.all(nodes.map((node) => node.stop()));
  });

  it('survives a failed flush: it is logged, kept, and added once when the database works again', async () => {
    const node = startNode();
    const rename = (from: string, to: string) =>
      environments.sandbox.database.run(
        statement(`rename_${to}`, `alter table {schema}.${from} rename to ${to}`),
        [],
      );
    node.count(use('failing'));
    await rename('usage_counts', 'usage_counts_away');
    await node.flush();
    node.count(use('failing'));
    node.count(use('failing', { operation: 'products:read' }));
    await node.flush();
    expect(node.delays).toHaveLength(2);
    await rename('usage_counts_away', 'usage_counts');
    await node.flush();
    expect(await stored('failing')).toMatchObject([
      { operation: 'products:list', requests: 2 },
      { operation: 'products:read', requests: 1 },
    ]);
    await node.stop();
    expect([await total('failing'), node.losses]).toEqual([3, []]);
  });

  it('is counted once when it was stored although the answer got lost', async () => {
    let answersGetLost = true;
    const { database } = environments.sandbox;
    async function losing<Answer>(answer: Promise<Answer>): Promise<Answer> {
      const known = await answer;
      if (answersGetLost) throw new StorageUnavailableError(new Error('connection lost'));
      return known;
    }
    const node = startNode(
      onDatabase({
        run: <Row>(...query: Parameters<Database['run']>) => losing(database.run<Row>(...query)),
        transaction: (work) => losing(database.transaction(work)),
      }),
    );
    node.count(use('lost answer'));
    await node.flush();
    await node.flush();
    expect([node.delays.length, await total('lost answer')]).toEqual([2, 1]);
    answersGetLost = false;
    node.count(use('lost answer'));
    await node.flush();
    expect(await total('lost answer')).toBe(2);
    await node.stop();
  });

  it('is stored periodically, and when the node stops', async () => {
    const node = startNode(environments.sandbox, 1);
    node.count(use('by itself'));
    await expect.poll(() => total('by itself')).toBe(1);
    await node.stop();
    const stopping = startNode();
    stopping.count(use('by itself'));
    await stopping.stop();
    expect([await total('by itself'), stopping.losses]).toEqual([2, []]);
  });

  it('reports how many requests are lost when a node stops without its database, or had no room for them', async () => {
    const gone = new StorageUnavailableError(new Error('gone'));
    const refuse = () => Promise.reject(gone);
    const node = startNode(onDatabase({ run: refuse, transaction: refuse }));
    node.count(use('away'));
    await node.flush();
    for (const client of ['away', 'away', 'also away']) node.count(use(client));
    await node.stop();
    expect(node.losses).toEqual([4]);

    const counter = createUsageCounter(environments.clock, 1);
    const losses: number[] = [];
    const full = keepUsage({
      environment: environments.sandbox,
      counter,
      onDelay() {},
      onLoss: (requests) => losses.push(requests),
    });
    for (const client of ['has room', 'has none', 'has none']) counter.count(use(client));
    await full.stop();
    expect([await total('has room'), await total('has none'), losses]).toEqual([1, 0, [2]]);
  });

  it('sums up to the same, whichever days are asked for and whatever they are grouped by', async () => {
    const { clock } = environments;
    const node = startNode();
    const first = daysBefore(today, 100);
    const day = (number: number) => daysBefore(first, -number);
    for (let number = 0; number < 30; number += 1) {
      clock.set(`${day(number)}T12:00:00Z`);
      for (let count = 0; count <= number % 7; count += 1)
        for (const operation of ['products:list', 'products:read'])
          node.count(use(`sums ${count % 3}`, { operation, choice: number % 2 ? 'pinned' : 'defaulted' }));
      await node.flush();
    }
    await node.stop();
    clock.set(homeTime);

    type Groups = Record<string, { requests: number; lastDay: string }>;
    const groupsOf = (rows: readonly UsageRow[], by: readonly UsageDimension[]): Groups => {
      const groups: Groups = {};
      for (const row of rows) {
        const key = by.map((dimension) => row[dimension]).join(' ');
        const { requests, lastDay } = groups[key] ?? { requests: 0, lastDay: '' };
        groups[key] = {
          requests: requests + row.requests,
          lastDay: lastDay > row.lastDay ? lastDay : row.lastDay,
        };
      }
      return groups;
    };
    const report = async (by: readonly UsageDimension[], from: Day, to: Day) => {
      const query = { from, to, version: null, choice: null, clientId: null, by, rowsMax: 10_000 };
      return (await reportUsage(environments.sandbox, query)).rows;
    };
    const groupings: UsageDimension[][] = [
      ['day'],
      ['choice', 'version'],
      ['client'],
      ['choice', 'organization'],
    ];
    for (let from = 0; from < 9; from += 1)
      for (const days of [1, 5, 7, 8, 13, 14, 21]) {
        const [begin, end] = [day(from), day(from + days - 1)];
        for (const by of groupings) {
          const apart = groupsOf(await report([...by, 'day', 'operation'], begin, end), by);
          expect(Object.keys(apart)).not.toEqual([]);
          expect(groupsOf(await report(by, begin, end), by), `${begin} to ${end} by ${by}`).toEqual(apart);
        }
        const total = Object.values(groupsOf(await report(['operation'], begin, end), []))[0]?.requests;
        expect(await countedRequests(environments.sandbox, begin, end)).toBe(total);
      }
  });

  it('is deleted after its retention, and the last day of it stays', async () => {
    const { clock } = environments;
    const node = startNode();
    const lastKept = daysBefore(today, RETENTION_DAYS);
    for (const day of [daysBefore(lastKept, 8), daysBefore(lastKept, 1), lastKept]) {
      clock.set(`${day}T12:00:00Z`);
      node.count(use('old'));
    }
    await node.stop();
    clock.set(homeTime);
    expect(await stored('old')).toHaveLength(3);
    const removed: Record<string, number> = {};
    await cleanUp({
      context: environments.sandbox,
      chores: usageChores,
      onRemoved: (table, rows) => {
        removed[table] = rows;
      },
      onError(_chore, error) {
        throw error;
      },
    });
    expect((await stored('old')).map(({ day }) => day)).toEqual([lastKept]);
    expect(removed).toEqual({ usage_counts: 2, usage_days: 2, usage_weeks: 1, usage_writers: 2 });
    const writers = await environments.sandbox.database.run(
      statement(
        'old_writers',
        `select id from {schema}.usage_writers where written_at < '${lastKept}'::date + 2`,
      ),
      [],
    );
    expect(writers).toEqual([]);
  });

  it('[outside2 28] names the last day of use, also where an earlier day is stored after a later one', async () => {
    const monday = '2026-03-02' as Day;
    const [tuesday, friday, sunday] = ['2026-03-03', '2026-03-06', '2026-03-08'] as [Day, Day, Day];
    // A node that was cut off for three days stores what it counted before another one did.
    for (const day of [monday, friday, tuesday]) {
      environments.clock.set(`${day}T12:00:00Z`);
      const node = startNode();
      node.count(use('late'));
      await node.stop();
    }
    environments.clock.set(homeTime);
    const { rows } = await reportUsage(environments.sandbox, {
      from: monday,
      to: sunday,
      version: null,
      choice: null,
      clientId: 'late',
      by: ['client'],
      rowsMax: 10,
    });
    expect(rows).toMatchObject([{ client: 'late', requests: 3, lastDay: friday }]);
  });

  it('says where a report was cut off', async () => {
    const node = startNode();
    for (const client of ['cut-1', 'cut-2', 'cut-3']) node.count(use(client));
    await node.stop();
    const reported = async (rowsMax: number) => {
      const whole = { version: null, choice: null, clientId: null, by: ['client'] as const };
      const { rows, truncated } = await reportUsage(environments.sandbox, {
        ...whole,
        from: today,
        to: today,
        rowsMax,
      });
      return { count: rows.length, truncated };
    };
    expect(await reported(2)).toEqual({ count: 2, truncated: true });
    expect((await reported(1_000)).truncated).toBe(false);
  });

  it('sums up operations and OAuth by week as the migration does for what was counted before it', async () => {
    const { clock, sandbox } = environments;
    for (const [day, operations] of [
      ['2026-02-03', ['products:list', 'oauth2:create_token', null]],
      ['2026-02-05', ['oauth2:create_token', 'products:read']],
      ['2026-02-06', ['oauth2:introspect_token']],
      ['2026-02-12', ['oauth2:create_token']],
    ] as const) {
      clock.set(`${day}T12:00:00Z`);
      const node = startNode();
      for (const operation of operations) node.count({ ...use('weekly'), operation });
      await node.stop();
    }
    clock.set(homeTime);
    const weeks = async () =>
      sandbox.database.run(
        statement(
          'weeks_of_one_client',
          `select requests, oauth_requests, last_day::text, api_last_day::text,
                  array(select unnest(operations) order by 1) as operations
           from {schema}.usage_weeks where client_id = 'weekly' order by week`,
        ),
        [],
      );
    const written = await weeks();
    expect(written).toEqual([
      {
        requests: 6,
        oauth_requests: 3,
        last_day: '2026-02-06',
        api_last_day: '2026-02-05',
        operations: ['oauth2:create_token', 'oauth2:introspect_token', 'products:list', 'products:read'],
      },
      {
        requests: 1,
        oauth_requests: 1,
        last_day: '2026-02-12',
        api_last_day: null,
        operations: ['oauth2:create_token'],
      },
    ]);
    const { sql } = present(
      migrations.find(({ name }) => name.includes('operations-of-weeks')),
      'it',
    );
    await sandbox.database.migration((session) =>
      session.script(`alter table {schema}.usage_weeks drop column oauth_requests, drop column api_last_day,
        drop column operations; ${sql}`),
    );
    expect(await weeks()).toEqual(written);
  });
});
