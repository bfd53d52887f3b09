import fastify from 'fastify';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { createConsoleSessions } from '../../src/http/operator/console-session.ts';
import { configuredOperator, newOperatorKeyValue } from '../../src/identity/operator-keys.ts';
import { createCodeExchanger } from '../../src/oauth/authorize/codes/exchange-code.ts';
import { issueCode } from '../../src/oauth/authorize/codes/issue-code.ts';
import { createClientThrottle } from '../../src/oauth/clients/authentication/admit-client.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../../src/oauth/clients/authentication/client-secrets.ts';
import { createClientCredentialsIssuer } from '../../src/oauth/grants/client-credentials.ts';
import { revokeInBulk } from '../../src/oauth/tokens/bulk/revoke-in-bulk.ts';
import { createClientGate } from '../../src/oauth/tokens/client-gate.ts';
import { createTokenRevoker } from '../../src/oauth/tokens/revoke-token.ts';
import { createTokenVerifier } from '../../src/oauth/tokens/verify-token.ts';
import { createProduct } from '../../src/products/products.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { rotateSecretKey, type SecretHolder } from '../../src/secrets/rotate-secret-key.ts';
import type { Database } from '../../src/storage/database.ts';
import { statement } from '../../src/storage/statement.ts';
import { StorageUnavailableError, UndoneError } from '../../src/storage/storage-error.ts';
import type { Day } from '../../src/usage/day.ts';
import { keepUsage } from '../../src/usage/keep-usage.ts';
import { createUsageCounter } from '../../src/usage/usage-counter.ts';
import { countedRequests } from '../../src/usage/usage-report.ts';
import { startDeliveries } from '../../src/webhooks/deliveries/deliver.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { createSender } from '../../src/webhooks/sending/sender.ts';
import { storedProduct } from '../support/contracts/products.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { type FailingOver, failingOver, replicate } from '../support/database/failing-over.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';
import { orderEvent, publishGood, withFolderKinds } from '../support/webhooks/folder-events.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

/**
 * A former primary shows commits that no standby had when one was promoted. What it has shown is read here, and the failover comes before
 * the next statement. The environments of the test are the two servers.
 */
onEmbeddedFirst('what was read just before a failover', (engine) => {
  const environments = useTestEnvironments(engine);
  let failover: FailingOver;
  /** It reads from the former primary until the failover is over. */
  let between: Environment;
  beforeEach(() => {
    const { sandbox, production, clock } = environments;
    failover = failingOver(sandbox.database, production.database);
    between = environmentOn({
      ...{ name: 'sandbox', issuer: sandbox.issuer, clock },
      database: failover.database,
    });
  });

  const promote = () => replicate(environments.sandbox.database, environments.production.database);
  const bySuccessor = () =>
    environmentOn({ ...between, name: 'sandbox', database: environments.production.database });
  const isActive = async ({ tokenValue }: { tokenValue: string }) =>
    (await createTokenVerifier(bySuccessor(), () => {})(tokenValue)).active;

  async function createRevoking() {
    const { sandbox } = environments;
    const { client, ...granted } = await createGrantedUser(sandbox);
    const clientSecret = newClientSecretValue(sandbox);
    await storeClientSecret(sandbox, { clientId: client.id, secretValue: clientSecret });
    const request = { clientId: client.id, clientSecret, address: () => '127.0.0.1' };
    const revokeOn = (environment: Environment, { tokenValue }: { tokenValue: string }) => {
      const admission = { throttle: createClientThrottle(environments.clock), noteUse() {} };
      const gate = createClientGate(environment, admission, () => {});
      return createTokenRevoker(environment, gate, () => {})(request, tokenValue);
    };
    return { ...granted, client, revokeOn };
  }

  it.each(['access', 'refresh'] as const)(
    'acknowledges no revocation of an %s token that the failover has undone',
    async (kind) => {
      const { revokeOn, ...granted } = await createRevoking();
      const token = granted[kind];
      await promote();
      await revokeOn(environments.sandbox, token);
      await expect(revokeOn(between, token)).rejects.toBeInstanceOf(UndoneError);
      expect(await isActive(token)).toBe(true);
      failover.over();
      await revokeOn(between, token);
      expect(await isActive(token)).toBe(false);
      // Dead on both: nothing is left to do.
      await revokeOn(between, token);
    },
  );

  it('ends all grants of a revocation in bulk, also those whose end the failover has undone', async () => {
    const { client, access, refresh } = await createRevoking();
    const revoke = (environment: Environment) =>
      revokeInBulk(environment, {
        selection: { clientId: client.id, subject: null, organizationId: null, issuedBefore: null },
        cause: { actor: { type: 'operator', id: 'opk_1' }, reason: 'bulk' },
        ...{ dryRun: false, after: null },
      });
    await promote();
    expect(await revoke(environments.sandbox)).toMatchObject({ grants: 1, tokens: 2 });
    expect(await revoke(between)).toMatchObject({ grants: 1, tokens: 2 });
    expect([await isActive(access), await isActive(refresh)]).toEqual([false, false]);
  });

  it('refuses no code whose exchange the failover has undone: the next try gets its tokens', async () => {
    const { sandbox } = environments;
    const { client, user, organization } = await createGrantedUser(sandbox, { requiresPkce: false });
    const redirectUri = 'https://app.test/';
    const codeValue = await issueCode(sandbox, {
      ...{ clientId: client.id, userId: user.id, organizationIds: [organization.id], audience: client.id },
      ...{ scopes: ['products:read'], redirectUri, codeChallenge: null, nonce: null },
      authenticatedAt: environments.clock.now(),
    });
    await promote();
    const exchangeOn = (environment: Environment) => {
      const observed = { find() {}, use() {} };
      const exchange = createCodeExchanger(
        environment,
        () => Promise.reject(new Error('no id_token')),
        observed,
      );
      const asked = { redirectUri, codeVerifier: undefined, resource: undefined, bareIdToken: true };
      return exchange({ ...asked, client, codeValue, hasLeft: () => false });
    };
    await exchangeOn(sandbox);
    await expect(exchangeOn(between)).rejects.toBeInstanceOf(UndoneError);
    failover.over();
    const { accessTokenValue } = await exchangeOn(between);
    expect(await isActive({ tokenValue: accessTokenValue })).toBe(true);
  });

  it('gives out no token of a client that the failover has undone', async () => {
    const { sandbox, production } = environments;
    const { client } = await createGrantedUser(sandbox);
    const issue = createClientCredentialsIssuer(production, () => {});
    const asking = issue(
      { ...client, organizationSuspendedAt: null, secretDigests: [] },
      { scope: undefined, resource: undefined },
    );
    await expect(asking).rejects.toBeInstanceOf(UndoneError);
  });

  it('publishes an event whose publication the failover has undone, under the same id', async () => {
    const { sandbox, production } = environments;
    const { organization } = await createGrantedUser(sandbox);
    await promote();
    const events = ['first', 'second'].map((id) => orderEvent(organization.id, id));
    const publish = (environment: Environment) => publishGood(withFolderKinds(environment), events);
    await publish(sandbox);
    await expect(publish(between)).rejects.toBeInstanceOf(UndoneError);
    failover.over();
    const published = await publish(between);
    expect(published.map(({ already }) => already)).toEqual([false, false]);
    expect(await publish(production)).toEqual(published.map((event) => ({ ...event, already: true })));
  });

  it('signs an operator out for good, also where the failover has undone another sign-out', async () => {
    const key = newOperatorKeyValue(between);
    const sessionsOn = (environment: Environment) => {
      const sessions = createConsoleSessions(environment, key);
      const app = fastify();
      app.post('/', (request, reply) => sessions.signIn(request, reply, key));
      app.get('/', async (request) => ({ visit: await sessions.visitOf(request) }));
      app.delete('/', async (request, reply) => {
        await sessions.signOut(request, reply, configuredOperator);
        return reply.status(204).send();
      });
      return async (method: 'POST' | 'GET' | 'DELETE', cookie = '') => {
        const { statusCode, headers, body } = await app.inject({ method, url: '/', headers: { cookie } });
        return { status: statusCode, cookie: String(headers['set-cookie']).split(';')[0], body };
      };
    };
    const [before, during, after] = [environments.sandbox, between, bySuccessor()].map(sessionsOn);
    const { cookie } = (await before?.('POST')) ?? {};
    await promote();
    const isAlive = async () => !(await after?.('GET', cookie))?.body.includes('"visit":null');
    expect(await isAlive()).toBe(true);
    expect((await before?.('DELETE', cookie))?.status).toBe(204);
    expect(await isAlive()).toBe(true);
    expect((await during?.('DELETE', cookie))?.status).toBe(204);
    expect(await isAlive()).toBe(false);
  });

  it('counts requests whose counts the failover has undone, when their answer got lost', async () => {
    const { sandbox, production, clock } = environments;
    const counter = createUsageCounter(clock);
    const delays: unknown[] = [];
    let answersGetLost = true;
    const database: Database = {
      ...between.database,
      async run(...query) {
        const rows = await failover.database.run<never>(...query);
        if (answersGetLost) throw new StorageUnavailableError('connection lost');
        return rows;
      },
    };
    await promote();
    const keeper = keepUsage({
      ...{ environment: environmentOn({ ...between, database }), counter, flushEveryMs: 1_000_000 },
      ...{ onDelay: (error: unknown) => delays.push(error), onLoss() {} },
    });
    const [from, to] = ['2000-01-01' as Day, '2100-01-01' as Day];
    const counted = () => Promise.all([sandbox, production].map((one) => countedRequests(one, from, to)));
    const [before = 0] = await counted();
    counter.count({ choice: 'defaulted', version: '2026-10', operation: 'products:list', clientId: null });
    await keeper.flush();
    expect(await counted()).toEqual([before + 1, before]);
    answersGetLost = false;
    await keeper.flush();
    expect([await counted(), delays.length]).toEqual([[before + 1, before + 1], 1]);
    await keeper.stop();
  });

  /** An endpoint that is told of products, on the former primary. */
  async function createListening() {
    const { sandbox } = environments;
    const { organization } = await createGrantedUser(sandbox);
    const receiver = await startReceiver({ answer: (_request, response) => void response.end() });
    const rules = { ports: [443], loopback: true };
    const box = await openSecretBox(sandbox, { configured: [Buffer.alloc(32, 7)], path: '/nowhere' });
    await createEndpoint(
      sandbox,
      {
        organizationId: organization.id,
        url: `http://127.0.0.1:${receiver.port}/hook`,
        events: ['product.created'],
        ...{ format: 'raw', apiVersion: null, enabled: true, description: null, maxPerSecond: null },
      },
      { box, rules, actor: { type: 'system', id: null } },
    );
    const create = (environment: Environment) =>
      createProduct(environment, [organization.id], { organizationId: null, product: storedProduct });
    /** Delivers what is due in a database; returns what went wrong. */
    async function deliver(database: Database): Promise<readonly unknown[]> {
      const faults: unknown[] = [];
      const worker = await startDeliveries({
        ...{ environment: environmentOn({ ...between, database }), box, sender: createSender({ rules }) },
        ...{ deprecationOf: createVersions(environments.clock).deprecationOf, worker: 'one', onAttempt() {} },
        onUnrendered: (_event, error) => faults.push(error),
        onError: (error) => faults.push(error),
      });
      onTestFinished(() => worker.stop(0));
      return faults;
    }
    return { receiver, create, deliver };
  }

  it('sends no event that the failover has undone, and the next one as ever', async () => {
    const { receiver, create, deliver } = await createListening();
    await promote();
    await create(environments.sandbox);
    let checked = 0;
    const faults = await deliver({
      ...failover.database,
      async transaction(work) {
        const result = await failover.database.transaction(work);
        checked += 1;
        return result;
      },
    });
    await expect.poll(() => checked).toBeGreaterThan(0);
    failover.over();
    const { id } = await create(bySuccessor());
    await expect.poll(() => receiver.requests.length).toBe(1);
    expect([String(receiver.requests[0]?.body).includes(id), faults]).toEqual([true, []]);
  });

  it('stores the end of an attempt that the failover has undone, when its answer got lost', async () => {
    const { receiver, create, deliver } = await createListening();
    await create(environments.sandbox);
    await promote();
    const attempts = statement('attempts', 'select count(*) as count from {schema}.webhook_attempts');
    const storedBySuccessor = async () =>
      (await environments.production.database.run<{ count: number }>(attempts, []))[0]?.count;
    expect(await storedBySuccessor()).toBe(0);
    let isLost = false;
    await deliver({
      ...failover.database,
      async run(asked, parameters) {
        const rows = await failover.database.run<never>(asked, parameters);
        if (isLost || asked.name !== 'settle_webhook_attempts') return rows;
        isLost = true;
        throw new StorageUnavailableError('connection lost');
      },
    });
    await expect.poll(() => isLost).toBe(true);
    await expect.poll(storedBySuccessor, { timeout: 20_000 }).toBe(1);
    expect(receiver.requests.length).toBe(1);
  });

  it('tells what keys are still needed as the successor has it', async () => {
    const [one, other] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
    const open = (configured: Buffer[]) =>
      openSecretBox(environments.sandbox, { configured, path: '/nowhere' });
    const former = (await open([one])).keys[0]?.id;
    await promote();
    const box = await open([other, one]);
    const rotate = (environment: Environment, holders: SecretHolder[]) =>
      rotateSecretKey(environment, box, { holders, actor: { type: 'system', id: null } });
    expect((await rotate(environments.sandbox, [])).formerIds).toEqual([]);
    // Secrets that take longer than one call.
    const many: SecretHolder = {
      async reseal() {
        environments.clock.advanceSeconds(10);
        return 1;
      },
    };
    expect((await rotate(between, [many])).formerIds).toEqual([former]);
  });
});
