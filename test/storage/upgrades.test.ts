import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/compose/migrations.ts';
import { createPasswordCheck } from '../../src/identity/sign-in.ts';
import { present } from '../../src/kernel/presence.ts';
import { statement } from '../../src/storage/statement.ts';
import { factsOf, openOldDatabase } from '../support/database/old-database.ts';
import type { TestDatabases } from '../support/database/test-databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { serviceEnvironment } from '../support/service/service-environment.ts';
import { startTestServiceOn, type TestService } from '../support/service/test-service.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

// The embedded database of the first one had another layout, and is refused: see test/storage/embedded-database.test.ts.
const upgrades = [
  ['e8a04ad', 'PostgreSQL'],
  ['e00d4b9', 'PostgreSQL'],
  ['e00d4b9', 'PGlite'],
] as const;

describe.each(upgrades)('a database that the build %s made on %s', (commit, engine) => {
  const facts = factsOf(commit);
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-old-'));
  let databases: TestDatabases;
  let service: TestService | undefined;
  let ledgerBefore: object[];
  const running = (): TestService => present(service, 'the service');
  const calls = () => oauthCalls(running());

  beforeAll(async () => {
    databases = await openOldDatabase(commit, engine);
    ledgerBefore = await ledger();
    writeFileSync(join(dataDir, 'quickstart.json'), JSON.stringify(facts.quickstart));
    const settings = {
      DATELINE_DATA_DIR: dataDir,
      DATELINE_SECRET_KEY: facts.secret_key,
      DATELINE_PUBLIC_URL: facts.issuers.production,
      DATELINE_SANDBOX_PUBLIC_URL: facts.issuers.sandbox,
      DATELINE_DELIVER: 'on',
    };
    service = await startTestServiceOn(databases, settings, facts.at);
  });
  afterAll(async () => {
    await (service ? service.stop() : databases?.close());
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function ledger(): Promise<object[]> {
    const sandbox = await databases.open('sandbox');
    return sandbox.run(statement('read_whole_ledger', 'select * from {schema}.releases order by 1'), []);
  }

  it('is migrated, in both environments', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      const applied = await (await databases.open(environment)).run<{ name: string }>(
        statement('read_applied_names', 'select name from {schema}.migrations order by number'),
        [],
      );
      expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    }
  });

  it('answers for its tokens as that build did, the same bytes', async () => {
    const { own, revoked, rotated, refresh } = facts.tokens;
    const answers = {
      own: (await calls().introspect({ token: own, token_type: 'access_token' })).body,
      revoked: (await calls().introspect({ token: revoked, token_type: 'access_token' })).body,
      rotated: (await calls().introspect({ token: rotated, token_type: 'access_token' })).body,
      refresh: (await calls().introspect({ token: refresh, token_type: 'refresh_token' })).body,
    };
    expect(answers).toEqual(facts.introspected);
    expect(answers).toMatchObject({
      own: { active: true },
      revoked: { active: false },
      refresh: { active: true },
    });
    const { access_token, ...credentials } = facts.production;
    const ofProduction = await oauthCalls(running(), 'production').post('/v1/oauth2/introspect', {
      ...credentials,
      token: access_token,
      token_type: 'access_token',
    });
    expect(ofProduction.body).toMatchObject({ active: true, client_id: credentials.client_id });
  });

  it('has clients that authenticate, in both environments, and refuses a wrong secret', async () => {
    const issued = await calls().token({ grant_type: 'client_credentials' });
    expect([issued.status, await calls().isActive(issued.body.access_token)]).toEqual([200, true]);
    const { client_id, client_secret } = facts.production;
    const production = oauthCalls(running(), 'production');
    const form = { grant_type: 'client_credentials', client_id };
    expect((await production.post('/v1/oauth2/token', { ...form, client_secret })).status).toBe(200);
    expect(
      (await production.post('/v1/oauth2/token', { ...form, client_secret: `${client_secret}x` })).status,
    ).toBe(401);
  });

  it('has grants that are refreshed', async () => {
    const refreshed = await calls().token({
      grant_type: 'refresh_token',
      refresh_token: facts.tokens.refresh,
    });
    expect([refreshed.status, await calls().isActive(refreshed.body.access_token)]).toEqual([200, true]);
  });

  it('has a ledger of releases that is as it was, so that the same version is Current', async () => {
    expect(ledgerBefore.length).toBeGreaterThan(0);
    // Columns may have come.
    expect(await ledger()).toMatchObject(ledgerBefore);
    const { current, versions } = (await (await running().call('sandbox', '/versions')).json()) as {
      current: string;
      versions: { version: string; state: string; becomes_current_at: string }[];
    };
    expect({
      current,
      states: versions.map(({ version, state, becomes_current_at }) => [version, state, becomes_current_at]),
    }).toEqual(facts.versions);
  });

  it('has endpoints that keep their pins, and events that are sent again with the same bytes', async () => {
    const asked = (method: string, path: string, body?: unknown) =>
      running().call('sandbox', path, {
        method,
        headers: {
          authorization: `Bearer ${facts.tokens.own}`,
          'service-version': '2026-10',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const { items } = (await (await asked('GET', '/v1/webhooks/endpoints')).json()) as {
      items: typeof facts.endpoints;
    };
    expect(items.map(({ id, pinned_version, api_version }) => ({ id, pinned_version, api_version }))).toEqual(
      facts.endpoints,
    );
    const receiver = await startReceiver();
    for (const { id } of items) {
      const moved = await asked('PATCH', `/v1/webhooks/endpoints/${id}`, {
        url: `http://127.0.0.1:${receiver.port}/`,
      });
      expect([id, moved.status]).toEqual([id, 200]);
    }
    expect(facts.delivered.length).toBeGreaterThan(2);
    for (const { id } of facts.delivered)
      expect((await asked('POST', `/v1/webhooks/events/${id}/redeliver`)).status).toBeLessThan(300);
    const received = () =>
      receiver.requests.map(({ headers, body }) => [headers['webhook-id'], body.toString()]);
    const wanted = facts.delivered.map(({ id, body }) => [id, body]);
    // The leases of the old build's worker end.
    running().clock.advanceSeconds(60);
    await expect.poll(() => received()).toEqual(expect.arrayContaining(wanted));
  });

  it('has people and operators who sign in as before', async () => {
    const { user_email, user_password } = facts.quickstart.sandbox;
    expect((await running().operate('sandbox', '/operator/organizations')).status).toBe(200);
    expect((await running().operate('production', '/operator/organizations')).status).toBe(200);
    const users = (await (await running().operate('sandbox', '/operator/users')).json()) as {
      items: { email: string }[];
    };
    expect(users.items.map(({ email }) => email)).toEqual(
      expect.arrayContaining([user_email, 'someone@example.com']),
    );
    const checkPassword = createPasswordCheck(await serviceEnvironment(running()));
    const attempt = { email: user_email, password: user_password, address: '127.0.0.1' };
    expect(await checkPassword(attempt)).toMatchObject({ email: user_email });
    expect(await checkPassword({ ...attempt, password: `${user_password}x` })).toBeNull();
  });
});
