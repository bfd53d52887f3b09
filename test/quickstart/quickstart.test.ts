import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../src/environments/environment.ts';
import { findOperatorKey } from '../../src/identity/operator-keys.ts';
import { userByPassword } from '../../src/identity/users.ts';
import { endGrants } from '../../src/oauth/tokens/store.ts';
import { createTokenVerifier } from '../../src/oauth/tokens/verify-token.ts';
import { prepareQuickstart } from '../../src/quickstart/prepare-quickstart.ts';
import { type Quickstart, readQuickstart } from '../../src/quickstart/quickstart-file.ts';
import { tour } from '../../src/quickstart/tour.ts';
import { statement } from '../../src/storage/statement.ts';
import { onEmbeddedFirst, onPostgresFirst } from '../support/database/databases.ts';
import { current } from '../support/service/build-versions.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dateline-quickstart-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, 'quickstart.json');
const read = (): Quickstart => readQuickstart(path()) as Quickstart;
const verify = (environment: Environment, token: string) => createTokenVerifier(environment, () => {})(token);

onEmbeddedFirst('the first start', (engine) => {
  const environments = useTestEnvironments(engine);

  it('writes keys and demo data that work, readable by their owner only; the next start keeps them', async () => {
    const { production, sandbox, clock } = environments;
    expect(await prepareQuickstart({ production, sandbox, path: path() })).toBe('created');
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    const first = read();
    expect(Object.keys(first.production)).toEqual(['base_url', 'operator_key']);
    expect(Object.keys(first.sandbox).sort()).toEqual([
      'access_token',
      'base_url',
      'client_id',
      'client_secret',
      'operator_key',
      'organization_id',
      'refresh_token',
      'user_email',
      'user_password',
    ]);
    expect(await findOperatorKey(production, first.production.operator_key)).not.toBeNull();
    expect(await findOperatorKey(sandbox, first.sandbox.operator_key)).not.toBeNull();
    expect(
      await userByPassword(sandbox, first.sandbox.user_email, first.sandbox.user_password),
    ).not.toBeNull();
    const access = await verify(sandbox, first.sandbox.access_token);
    const refresh = await verify(sandbox, first.sandbox.refresh_token);
    if (!access.active || !refresh.active) throw new Error('the demo tokens must be active');
    expect([access.kind, refresh.kind]).toEqual(['access_token', 'refresh_token']);
    expect(access.grantId).toBe(refresh.grantId);
    expect(access.clientId).toBe(first.sandbox.client_id);

    clock.advanceSeconds(2 * 60 * 60);
    expect(await verify(sandbox, first.sandbox.access_token)).toEqual({ active: false });
    expect(await prepareQuickstart({ production, sandbox, path: path() })).toBe('kept');
    const second = read();
    expect(second).toEqual({
      ...first,
      sandbox: { ...first.sandbox, access_token: second.sandbox.access_token },
    });
    expect(await verify(sandbox, second.sandbox.access_token)).toMatchObject({
      active: true,
      grantId: access.grantId,
    });

    await endGrants(sandbox.session, [access.grantId], sandbox.clock.now());
    expect(await prepareQuickstart({ production, sandbox, path: path() })).toBe('kept');
    const third = read();
    const renewed = await verify(sandbox, third.sandbox.access_token);
    expect(renewed).toMatchObject({ active: true });
    expect(await verify(sandbox, third.sandbox.refresh_token)).toMatchObject({
      active: true,
      grantId: renewed.active && renewed.grantId,
    });
  });

  it('leaves production empty except for its operator key', async () => {
    const { production } = environments;
    const rows = statement(
      'rows',
      `select (select count(*) from {schema}.organizations) as organizations, (select count(*) from {schema}.users) as users,
              (select count(*) from {schema}.oauth_clients) as clients, (select count(*) from {schema}.operator_keys) as keys`,
    );
    expect(await production.database.run(rows, [])).toEqual([
      { organizations: 0, users: 0, clients: 0, keys: 1 },
    ]);
  });

  it('writes nothing when the database was set up from another folder', async () => {
    const { production, sandbox } = environments;
    expect(await prepareQuickstart({ production, sandbox, path: path() })).toBe('elsewhere');
    expect(existsSync(path())).toBe(false);
  });

  it('does not change the file of another database', async () => {
    const { production, sandbox } = environments;
    const names = [
      'base_url',
      'operator_key',
      'organization_id',
      'client_id',
      'client_secret',
      'access_token',
    ];
    const all = Object.fromEntries(
      [...names, 'refresh_token', 'user_email', 'user_password'].map((name) => [name, 'x']),
    );
    const foreign = { production: all, sandbox: all };
    writeFileSync(path(), JSON.stringify(foreign));
    expect(await prepareQuickstart({ production, sandbox, path: path() })).toBe('mismatched');
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual(foreign);
  });
});

onEmbeddedFirst('a first start that crashed', (engine) => {
  const environments = useTestEnvironments(engine);

  it('is completed with the secrets that the file already holds', async () => {
    const { production, sandbox } = environments;
    // The file is written before the databases commit; here the production commit never happens.
    const failing: Environment = {
      ...production,
      transaction: (work) =>
        production.transaction(async (context) => {
          await work(context);
          throw new Error('crash');
        }),
    };
    await expect(prepareQuickstart({ production: failing, sandbox, path: path() })).rejects.toThrow('crash');
    const written = read();
    expect(await findOperatorKey(production, written.production.operator_key)).toBeNull();
    expect(await prepareQuickstart({ production, sandbox, path: path() })).toBe('created');
    expect(read()).toEqual(written);
    expect(await findOperatorKey(production, written.production.operator_key)).not.toBeNull();
    expect(await verify(sandbox, written.sandbox.access_token)).toMatchObject({ active: true });
  });
});

onPostgresFirst('ten starts at once', (engine) => {
  const environments = useTestEnvironments(engine);

  it('seed once and agree on the keys, and later on one new grant', async () => {
    const { production, sandbox } = environments;
    const starts = Array.from({ length: 10 }, () => prepareQuickstart({ production, sandbox, path: path() }));
    const outcomes = await Promise.all(starts);
    expect(new Set(outcomes)).toEqual(new Set(['created', 'kept']));
    const keys = statement('keys', 'select count(*) as stored from {schema}.operator_keys');
    for (const { database } of [production, sandbox])
      expect(await database.run(keys, [])).toEqual([{ stored: 1 }]);
    const file = read();
    expect(await findOperatorKey(production, file.production.operator_key)).not.toBeNull();
    const demo = await verify(sandbox, file.sandbox.access_token);
    if (!demo.active) throw new Error('the demo token must be active');

    await endGrants(sandbox.session, [demo.grantId], sandbox.clock.now());
    const again = Array.from({ length: 10 }, () => prepareQuickstart({ production, sandbox, path: path() }));
    expect(new Set(await Promise.all(again))).toEqual(new Set(['kept']));
    const grants = statement('grants', 'select count(*) as stored from {schema}.oauth_grants');
    expect(await sandbox.database.run(grants, [])).toEqual([{ stored: 2 }]);
  });
});

describe('the tour', () => {
  it('reads secrets from the file and prints none', () => {
    const text = tour({
      path: '/data/quickstart.json',
      sandboxUrl: 'http://127.0.0.1:4001',
      currentVersion: current,
    });
    expect(text).toContain(`$(node -p 'require("/data/quickstart.json").sandbox.access_token')`);
    expect(text).not.toMatch(/dl_/);
  });
});

describe('a damaged quickstart.json', () => {
  it.each([
    '',
    '{',
    '[]',
    '{"production":{}}',
    '{"production":{"base_url":"","operator_key":""},"sandbox":{}}',
  ])('is reported with its path, not overwritten (%s)', (text) => {
    writeFileSync(path(), text);
    expect(() => readQuickstart(path())).toThrow(`${path()} is damaged`);
  });
});
