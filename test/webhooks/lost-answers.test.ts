import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { createProduct } from '../../src/products/products.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { statement } from '../../src/storage/statement.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';
import { startDeliveries } from '../../src/webhooks/deliveries/deliver.ts';
import type { Result } from '../../src/webhooks/deliveries/store.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { deleteKnownEndpoint } from '../../src/webhooks/endpoints/delete-endpoint.ts';
import { createSender } from '../../src/webhooks/sending/sender.ts';
import { storedProduct } from '../support/contracts/products.ts';
import { databasesAt } from '../support/database/databases.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';
import type { TestDatabases } from '../support/database/test-databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const rules = { ports: [443], loopback: true };

const CHECK = 'find_pending_webhook_events';

const FACTS = statement(
  'facts_of_endpoint',
  `select (select count(*) from {schema}.webhook_attempts a where a.endpoint_id = l.endpoint_id) as attempts,
          v.state, v.tries, v.attempt_count as counted, l.failure_count as failures, e.disabled_reason as disabled
   from {schema}.webhook_lanes l join {schema}.webhook_endpoints e on e.id = l.endpoint_id
   join {schema}.webhook_events v on v.endpoint_id = l.endpoint_id
   where l.endpoint_id = $1`,
);

describe('an answer of the database that is late or lost', () => {
  // It stands still: nothing is due again.
  const clock = createTestClock();
  let server: PostgresDatabase;
  let proxy: TcpProxy;
  const opened: TestDatabases[] = [];
  /** The same database, reached as the worker does and past the proxy. */
  let ofWorker: Environment;
  let beside: Environment;
  beforeAll(async () => {
    server = await createPostgresDatabase({ migrated: true });
    proxy = await startTcpProxy(server.adminUrl);
    ofWorker = await open(proxy.url);
    beside = await open(server.url);
  });
  afterAll(async () => {
    for (const databases of opened) await databases.close();
    await proxy?.close();
    await server?.drop();
  });

  async function open(url: string): Promise<Environment> {
    const databases = databasesAt(url);
    opened.push(databases);
    const database = await databases.open('sandbox');
    return environmentOn({ name: 'sandbox', issuer: 'https://sandbox.test', database, clock });
  }

  const boxOf = (environment: Environment) =>
    openSecretBox(environment, { configured: [Buffer.alloc(32, 7)], path: '/nowhere' });

  /** A worker, with what it tells of. */
  async function work(environment = ofWorker) {
    const told = { attempts: [] as Result[], faults: [] as unknown[] };
    const worker = await startDeliveries({
      environment,
      box: await boxOf(ofWorker),
      sender: createSender({ rules }),
      deprecationOf: createVersions(clock).deprecationOf,
      worker: 'one',
      onAttempt: (result) => told.attempts.push(result),
      onUnrendered: (_event, error) => told.faults.push(error),
      onError(error) {
        if (!(error instanceof StorageUnavailableError)) told.faults.push(error);
      },
    });
    onTestFinished(() => worker.stop(0));
    return told;
  }

  /** An endpoint whose receiver answers with this status, and something that it is told of. */
  async function stage(status: number, { maxPerSecond = null }: { maxPerSecond?: number | null } = {}) {
    const { organization } = await createGrantedUser(beside);
    const receiver = await startReceiver({
      answer: (_request, response) => void response.writeHead(status).end(),
    });
    const { endpoint } = await createEndpoint(
      beside,
      {
        organizationId: organization.id,
        url: `http://127.0.0.1:${receiver.port}/hook`,
        format: 'raw',
        events: ['product.created'],
        apiVersion: null,
        enabled: true,
        description: null,
        maxPerSecond,
      },
      { box: await boxOf(beside), rules, actor: { type: 'system', id: null } },
    );
    const happen = () =>
      createProduct(beside, [organization.id], { organizationId: null, product: storedProduct });
    await happen();
    return {
      receiver,
      endpoint,
      happen,
      facts: async () => (await beside.session.run(FACTS, [endpoint.id]))[0],
    };
  }

  it.each([
    { status: 200, state: 'delivered', failures: 0, disabled: null },
    { status: 500, state: 'pending', failures: 1, disabled: null },
    { status: 410, state: 'held', failures: 1, disabled: 'gone' },
  ])(
    '[outside2 13] does not count an attempt twice, and all follows from it that follows from $status',
    async ({ status, ...expected }) => {
      proxy.holdAnswerTo('settle_webhook_attempts');
      const { receiver, facts } = await stage(status);
      const told = await work();
      await expect.poll(facts).toMatchObject({ attempts: 1 });
      expect(told.attempts).toEqual([]);
      proxy.cut();
      await expect.poll(() => told.attempts.length).toBe(1);
      await expect.poll(facts).toEqual({ attempts: 1, tries: 1, counted: 1, ...expected });
      expect([told.faults, receiver.requests.length]).toEqual([[], 1]);
    },
  );

  it('keeps an event back until it is known that no failover undoes it', async () => {
    const checks = proxy.seen(CHECK);
    proxy.holdCommitAfter(CHECK);
    const { receiver, facts } = await stage(200);
    const told = await work();
    await expect.poll(() => proxy.seen(CHECK)).toBeGreaterThan(checks);
    expect([receiver.requests.length, told.attempts.length]).toEqual([0, 0]);
    // Nobody knows what became of the first question, so there is a second one.
    proxy.cut();
    await expect.poll(facts).toMatchObject({ attempts: 1, state: 'delivered' });
    expect([told.faults, receiver.requests.length]).toEqual([[], 1]);
  });

  it('[webhooks 49] sends no event before an older one of which it is not known yet', async () => {
    const checks = proxy.seen(CHECK);
    proxy.holdCommitAfter(CHECK);
    const { receiver, happen } = await stage(200);
    const told = await work();
    await expect.poll(() => proxy.seen(CHECK)).toBeGreaterThan(checks);
    await happen();
    // Longer than it takes to look again.
    await setTimeout(600);
    expect(receiver.requests).toEqual([]);
    await proxy.resume();
    await begunInOrder(told, 2);
    await happen();
    await begunInOrder(told, 3);
    expect(told.faults).toEqual([]);
  });

  it('[webhooks 49] sends no event before an older one that could not be asked about', async () => {
    const { happen } = await stage(200);
    const told = await work({
      ...ofWorker,
      transaction: slowly(async (nth) => {
        if (nth > 1) return;
        await happen();
        throw new StorageUnavailableError('the connection has ended');
      }),
    });
    await begunInOrder(told, 2);
    expect(told.faults).toEqual([]);
  });

  it('sends all events, in their order, where each question takes long and more events come meanwhile', async () => {
    const { happen } = await stage(200);
    const told = await work({ ...ofWorker, transaction: slowly(() => setTimeout(200)) });
    for (let count = 0; count < 8; count += 1) {
      await happen();
      await setTimeout(60);
    }
    await begunInOrder(told, 9);
    expect(told.faults).toEqual([]);
  });

  it('[webhooks 46] goes no faster than its endpoint allows once a question has taken long', async () => {
    const { receiver, happen } = await stage(200, { maxPerSecond: 2 });
    for (let count = 0; count < 5; count += 1) await happen();
    await work({
      ...ofWorker,
      transaction: slowly(async (nth) => {
        if (nth === 1) await setTimeout(3_000);
      }),
    });
    await expect.poll(() => receiver.requests.length).toBe(6);
    const [first = 0, ...others] = receiver.requests.map(({ atMs }) => atMs);
    expect(others.filter((atMs) => atMs < first + 1_000).length).toBeLessThanOrEqual(2);
  });

  it('sends nothing to an endpoint that was deleted while it was waited for', async () => {
    const { receiver, endpoint } = await stage(200);
    let isDeleted = false;
    await work({
      ...ofWorker,
      transaction: slowly(async (nth) => {
        if (nth > 1) return;
        await deleteKnownEndpoint(beside, endpoint.id, { type: 'system', id: null });
        // Longer than what was picked counts.
        await setTimeout(300);
        isDeleted = true;
      }),
    });
    await expect.poll(() => isDeleted).toBe(true);
    await setTimeout(600);
    expect(receiver.requests).toEqual([]);
  });

  /** Transactions of the worker, of which those that ask about events are slow. */
  function slowly(wait: (nth: number) => Promise<unknown>): Environment['transaction'] {
    let asked = 0;
    return async (work, options) => {
      const result = await ofWorker.transaction(work, options);
      if (options?.waitsLater) {
        asked += 1;
        await wait(asked);
      }
      return result;
    };
  }

  /** Waits for so many attempts, each at another event, that have begun in the order of the events. */
  async function begunInOrder({ attempts }: { attempts: readonly Result[] }, count: number): Promise<void> {
    await expect.poll(() => attempts.length).toBe(count);
    const begun = attempts.map(({ attempt }) => attempt).sort((one, other) => (one.id < other.id ? -1 : 1));
    const ids = begun.map(({ eventId }) => eventId);
    expect(ids).toEqual([...new Set(ids)].sort());
  }
});
