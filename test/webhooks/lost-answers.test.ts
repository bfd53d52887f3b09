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
  async function work() {
    const told = { attempts: [] as Result[], faults: [] as unknown[] };
    const worker = await startDeliveries({
      environment: ofWorker,
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
  async function stage(status: number) {
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
        maxPerSecond: null,
      },
      { box: await boxOf(beside), rules, actor: { type: 'system', id: null } },
    );
    const happen = () =>
      createProduct(beside, [organization.id], { organizationId: null, product: storedProduct });
    await happen();
    return { receiver, happen, facts: async () => (await beside.session.run(FACTS, [endpoint.id]))[0] };
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

  it('[webhooks 49] sends no event before an older one, whichever of them is known to last first', async () => {
    const { receiver, happen, told } = await withHeldCheck();
    const other = await stage(200);
    // What happened after both of them is delivered elsewhere: their questions have been asked.
    await expect.poll(() => other.receiver.requests.length).toBe(1);
    expect(receiver.requests).toEqual([]);
    await proxy.resume();
    await expect.poll(() => receiver.requests.length).toBe(2);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([...ids].sort());
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(3);
    expect(told.faults).toEqual([]);
  });

  it('[webhooks 49] sends no event before an older one about which nothing could be asked', async () => {
    const { receiver, told } = await withHeldCheck();
    proxy.cut();
    await expect.poll(() => receiver.requests.length).toBe(2);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([...ids].sort());
    expect(told.faults).toEqual([]);
  });

  /** Two events of an endpoint: whether the first one lasts is not answered, and whether the second one does, is. */
  async function withHeldCheck() {
    const checks = proxy.seen(CHECK);
    proxy.holdCommitAfter(CHECK);
    const staged = await stage(200);
    const told = await work();
    await expect.poll(() => proxy.seen(CHECK)).toBeGreaterThan(checks);
    const more = proxy.seen(CHECK);
    await staged.happen();
    await expect.poll(() => proxy.seen(CHECK)).toBeGreaterThan(more);
    return { ...staged, told };
  }
});
