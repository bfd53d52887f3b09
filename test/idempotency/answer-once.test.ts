import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import type { Context, Environment } from '../../src/environments/environment.ts';
import { answerOnce } from '../../src/idempotency/answer-once.ts';
import { requestDigest } from '../../src/idempotency/request-digest.ts';
import type { KeptAnswer, KeyedRequest } from '../../src/idempotency/types.ts';
import { createOrganization, listOrganizations } from '../../src/identity/organizations.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const DAY_SECONDS = 24 * 60 * 60;

const requestOf = (change: Partial<KeyedRequest> = {}): KeyedRequest => ({
  clientId: 'client',
  subjectId: 'subject',
  organizationId: 'organization',
  key: 'key',
  requestDigest: requestDigest({ body: 'this' }),
  ...change,
});

/** Work that can be counted: it creates an organization of this name. */
const creating =
  (name: string) =>
  async (context: Context): Promise<KeptAnswer> => {
    const { id } = await createOrganization(context, { name });
    return { status: 201, body: Buffer.from(id) };
  };

async function countOf(environment: Environment, name: string): Promise<number> {
  const { items } = await listOrganizations(environment, { limit: 1_000, after: null });
  return items.filter((organization) => organization.name === name).length;
}

onEmbeddedFirst('answering once', (engine) => {
  const environments = useTestEnvironments(engine);
  const COUNT = statement('count_keys', 'select count(*) as count from {schema}.idempotency_keys');
  const countKeys = async (): Promise<number> =>
    (await environments.sandbox.session.run<{ count: number }>(COUNT, []))[0]?.count ?? 0;

  it('does the work once per key and returns the same bytes again', async () => {
    const request = requestOf({ key: 'once' });
    const first = await answerOnce(environments.sandbox, request, creating('Once'));
    const again = await answerOnce(environments.sandbox, request, creating('Once'));
    expect(again).toEqual(first);
    expect(await countOf(environments.sandbox, 'Once')).toBe(1);
  });

  it('does the work once for 20 concurrent requests', async () => {
    const request = requestOf({ key: 'crowd' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => answerOnce(environments.sandbox, request, creating('Crowd'))),
    );
    expect(new Set(answers.map(({ body }) => body.toString())).size).toBe(1);
    expect(await countOf(environments.sandbox, 'Crowd')).toBe(1);
  });

  it('rejects another request under the same key, and keeps the first answer', async () => {
    const request = requestOf({ key: 'reused' });
    const first = await answerOnce(environments.sandbox, request, creating('Reused'));
    const other = requestOf({ key: 'reused', requestDigest: requestDigest({ body: 'that' }) });
    await expect(answerOnce(environments.sandbox, other, creating('Reused'))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await answerOnce(environments.sandbox, request, creating('Reused'))).toEqual(first);
    expect(await countOf(environments.sandbox, 'Reused')).toBe(1);
  });

  it('keeps callers and environments apart', async () => {
    const request = requestOf({ key: 'shared' });
    await answerOnce(environments.sandbox, request, creating('Apart'));
    await answerOnce(environments.sandbox, { ...request, clientId: 'another' }, creating('Apart'));
    await answerOnce(environments.sandbox, { ...request, subjectId: 'another' }, creating('Apart'));
    expect(await countOf(environments.sandbox, 'Apart')).toBe(3);
    await answerOnce(environments.production, request, creating('Apart'));
    expect(await countOf(environments.production, 'Apart')).toBe(1);
  });

  it('stores no error: the work is rolled back, and the key is free', async () => {
    const request = requestOf({ key: 'failing' });
    const failing = answerOnce(environments.sandbox, request, async (context) => {
      await creating('Failing')(context);
      throw new Error('after the work');
    });
    await expect(failing).rejects.toThrow('after the work');
    expect(await countOf(environments.sandbox, 'Failing')).toBe(0);
    await answerOnce(environments.sandbox, request, creating('Failing'));
    expect(await countOf(environments.sandbox, 'Failing')).toBe(1);
  });

  it('rolls the work back when its answer cannot be stored', async () => {
    const statusTooLarge = 2 ** 40;
    const failing = answerOnce(environments.sandbox, requestOf({ key: 'unkept' }), async (context) => ({
      ...(await creating('Unkept')(context)),
      status: statusTooLarge,
    }));
    await expect(failing).rejects.toThrow();
    expect(await countOf(environments.sandbox, 'Unkept')).toBe(0);
  });

  it('lets work that needs a transaction join the one that stores the answer', async () => {
    const failing = answerOnce(environments.sandbox, requestOf({ key: 'nested' }), async (context) => {
      await context.transaction(creating('Nested'));
      throw new Error('after the inner transaction');
    });
    await expect(failing).rejects.toThrow('after the inner transaction');
    expect(await countOf(environments.sandbox, 'Nested')).toBe(0);
  });

  it('never replaces a stored answer that is valid: the second work is rolled back', async () => {
    const request = requestOf({ key: 'twice' });
    const failing = answerOnce(environments.sandbox, request, async (context) => {
      await answerOnce(context, request, creating('Twice'));
      return creating('Twice')(context);
    });
    await expect(failing).rejects.toThrow('has an answer already');
    expect(await countOf(environments.sandbox, 'Twice')).toBe(0);
  });

  it('keeps an answer for 24 hours, then the key is free', async () => {
    const { clock } = environments;
    const request = requestOf({ key: 'day' });
    const first = await answerOnce(environments.sandbox, request, creating('Day'));
    clock.advanceSeconds(DAY_SECONDS - 0.001);
    expect(await answerOnce(environments.sandbox, request, creating('Day'))).toEqual(first);
    clock.advanceSeconds(0.001);
    const other = requestOf({ key: 'day', requestDigest: requestDigest({ body: 'that' }) });
    const second = await answerOnce(environments.sandbox, other, creating('Day'));
    expect(second.body).not.toEqual(first.body);
    expect(await answerOnce(environments.sandbox, other, creating('Day'))).toEqual(second);
  });

  it('deletes expired answers, some with every answer that is stored', async () => {
    for (let index = 0; index < 12; index += 1)
      await answerOnce(environments.sandbox, requestOf({ key: `old-${index}` }), creating('Old'));
    environments.clock.advanceSeconds(DAY_SECONDS);
    const before = await countKeys();
    expect(before).toBeGreaterThanOrEqual(12);
    await answerOnce(environments.sandbox, requestOf({ key: 'new-1' }), creating('New'));
    expect(await countKeys()).toBe(before + 1 - 10);
    await answerOnce(environments.sandbox, requestOf({ key: 'new-2' }), creating('New'));
    await answerOnce(environments.sandbox, requestOf({ key: 'new-3' }), creating('New'));
    expect(await countKeys()).toBe(3);
  });
});

describe('answering once on several nodes', () => {
  let server: PostgresDatabase;
  const nodes: Environment[] = [];
  beforeAll(async () => {
    server = await createPostgresDatabase({ migrated: true });
    for (let node = 0; node < 2; node += 1) {
      const database = openPostgres({
        schema: 'dateline_sandbox',
        url: server.url,
        poolMax: 4,
        onError() {},
      });
      const { lifetimes } = loadConfig({});
      const clock = createTestClock();
      nodes.push(environmentOn({ name: 'sandbox', issuer: 'https://x.test', database, clock, lifetimes }));
    }
  });
  afterAll(async () => {
    for (const { database } of nodes) await database.close();
    await server.drop();
  });

  it('does the work once, whichever node is asked', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        answerOnce(nodes[index % 2] as Environment, requestOf(), creating('Nodes')),
      ),
    );
    expect(new Set(answers.map(({ body }) => body.toString())).size).toBe(1);
    expect(await countOf(nodes[0] as Environment, 'Nodes')).toBe(1);
  });

  it('leaves neither work nor key when a node dies halfway, and another node does it', async () => {
    const [dying, other] = nodes as [Environment, Environment];
    const end = statement('end', 'select pg_terminate_backend(pg_backend_pid())');
    const request = requestOf({ key: 'dying' });
    let waiting: Promise<KeptAnswer> | undefined;
    const cutOff = answerOnce(dying, request, async (context) => {
      const answer = await creating('Dying')(context);
      waiting = answerOnce(other, request, creating('Dying'));
      await context.session.run(end, []);
      return answer;
    });
    await expect(cutOff).rejects.toThrow();
    expect((await waiting)?.status).toBe(201);
    expect(await countOf(other, 'Dying')).toBe(1);
  });
});

describe('the digest of a request', () => {
  it('depends on everything but the order of keys, at any depth', () => {
    const one = requestDigest({ version: 'v', body: { a: 1, b: [{ c: 1, d: 2 }, 3] } });
    expect(requestDigest({ body: { b: [{ d: 2, c: 1 }, 3], a: 1 }, version: 'v' })).toEqual(one);
    expect(requestDigest({ version: 'v', body: { a: 1, b: [3, { c: 1, d: 2 }] } })).not.toEqual(one);
    expect(requestDigest({ version: 'w', body: { a: 1, b: [{ c: 1, d: 2 }, 3] } })).not.toEqual(one);
  });
});
