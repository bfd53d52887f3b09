import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const FORMER = 'e00d4b9';
const REQUESTS = Number(process.env.UPGRADE_REQUESTS || '20000');
const CALLERS = 8;

const { hasCommit, formerBuild } = (await import('../../tools/former-build.mjs' as string)) as {
  hasCommit(commit: string): boolean;
  formerBuild(commit: string): string;
};

if (!hasCommit(FORMER)) printFigures(`The upgrade is skipped: the history of this clone has no ${FORMER}.`);

interface Kept {
  token: string;
  isRevoked: boolean;
}

describe.skipIf(!hasCommit(FORMER))(`an upgrade from the build ${FORMER}`, () => {
  const folders: string[] = [];
  const nodes: SpawnedDateline[] = [];
  let checkout: string;
  let database: PostgresDatabase;

  beforeAll(async () => {
    checkout = formerBuild(FORMER);
    database = await createPostgresDatabase({ migrated: false });
  }, 15 * 60_000);
  afterEach(async () => {
    for (const { child, exit } of nodes.splice(0)) {
      child.kill('SIGKILL');
      await exit;
    }
  });
  afterAll(async () => {
    await database?.drop();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'dateline-upgrade-'));
    folders.push(folder);
    return folder;
  }

  function start(folder: string, settings: Record<string, string>, of: { checkout?: string } = {}) {
    const node = spawnDateline(['serve'], {
      env: {
        DATELINE_DATA_DIR: folder,
        DATELINE_SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
        DATELINE_LOG_LEVEL: 'warn',
        ...settings,
      },
      ...of,
    });
    nodes.push(node);
    return node;
  }

  const sandboxIn = (folder: string) =>
    JSON.parse(readFileSync(join(folder, 'quickstart.json'), 'utf8')).sandbox;

  it(`fails none of ${REQUESTS} requests while a node of each serves and the old one drains, and loses nothing`, async () => {
    const [oldFolder, newFolderOfNode] = [newFolder(), newFolder()];
    const settings = { DATABASE_URL: database.url, DATELINE_DRAIN_SECONDS: '3' };
    const old = start(oldFolder, settings, { checkout });
    const { sandbox: oldUrl } = await old.ready();
    const { client_id, client_secret } = sandboxIn(oldFolder);
    const balancer = createBalancer([oldUrl]);
    const failed: string[] = [];
    const kept: Kept[] = [];
    const products: string[] = [];
    const answered = new Map<string, number>();
    let asked = 0;

    async function ask(
      path: string,
      init: { form?: Record<string, string>; bearer?: string; json?: unknown },
    ) {
      const url = balancer.next();
      asked += 1;
      answered.set(url, (answered.get(url) ?? 0) + 1);
      try {
        const response = await fetch(url + path, {
          method: 'POST',
          headers: {
            'service-version': '2026-10',
            ...(init.bearer === undefined ? {} : { authorization: `Bearer ${init.bearer}` }),
            ...(init.json === undefined ? {} : { 'content-type': 'application/json' }),
          },
          body: init.form
            ? new URLSearchParams({ client_id, client_secret, ...init.form })
            : JSON.stringify(init.json),
        });
        const body = (await response.json()) as Record<string, unknown>;
        if (!response.ok)
          failed.push(`${url === oldUrl ? 'old' : 'new'} ${path} ${response.status} ${JSON.stringify(body)}`);
        return body;
      } catch (error) {
        failed.push(`${url === oldUrl ? 'old' : 'new'} ${path} ${String((error as Error).cause ?? error)}`);
        return {};
      }
    }

    async function call(): Promise<void> {
      while (asked < REQUESTS) {
        const form = { grant_type: 'client_credentials' };
        const { access_token } = await ask('/v1/oauth2/token', { form });
        if (typeof access_token !== 'string') continue;
        const one: Kept = { token: access_token, isRevoked: false };
        const look = { token: access_token, token_type: 'access_token' };
        for (let times = 0; times < 5; times += 1) {
          const { active } = await ask('/v1/oauth2/introspect', { form: look });
          if (active === false) failed.push('a live token was inactive');
        }
        const made = await ask('/v1/products/', {
          bearer: access_token,
          json: {
            name: 'Made meanwhile',
            description: 'During an upgrade',
            billing: 'one_time',
            prices: [{ amount: 100, currency: 'eur' }],
          },
        });
        if (typeof made.id === 'string') products.push(made.id);
        if (kept.length % 3 === 0) {
          await ask('/v1/oauth2/revoke', { form: look });
          one.isRevoked = true;
          const { active } = await ask('/v1/oauth2/introspect', { form: look });
          if (active === true) failed.push('a revoked token was active');
        }
        kept.push(one);
      }
    }

    const calls = Promise.all(Array.from({ length: CALLERS }, call));
    const atLeast = (count: number) =>
      expect.poll(() => asked, { timeout: 10 * 60_000 }).toBeGreaterThanOrEqual(count);
    await atLeast(REQUESTS * 0.25);
    const fresh = start(newFolderOfNode, settings);
    const { sandbox: newUrl } = await fresh.ready();
    const askedAtStart = asked;
    balancer.add(newUrl);
    await atLeast(Math.min(REQUESTS * 0.9, askedAtStart + REQUESTS * 0.3));
    old.child.kill('SIGTERM');
    expect(await old.exit).toBe(0);
    const askedAtEnd = asked;
    await calls;
    balancer.stop();

    const lost: string[] = [];
    for (const { token, isRevoked } of kept) {
      const { active } = await ask('/v1/oauth2/introspect', { form: { token, token_type: 'access_token' } });
      if (active === isRevoked) lost.push(token);
    }
    const { access_token: reader } = await ask('/v1/oauth2/token', {
      form: { grant_type: 'client_credentials' },
    });
    for (const id of products) {
      const read = await fetch(`${newUrl}/v1/products/${id}`, {
        headers: { authorization: `Bearer ${reader}` },
      });
      await read.arrayBuffer();
      if (read.status !== 200) lost.push(id);
    }
    printFigures(
      `${asked} requests: the old node answered ${answered.get(oldUrl)}, the new one ${answered.get(newUrl)}; both from the ${askedAtStart}th on, the old one gone at the ${askedAtEnd}th. ${failed.length} failed. Of ${kept.length} tokens and ${products.length} products, ${lost.length} lost.`,
    );
    expect(failed).toEqual([]);
    expect(lost).toEqual([]);
    expect(askedAtEnd).toBeLessThan(REQUESTS);

    const again = start(oldFolder, settings, { checkout });
    expect(await again.exit).toBe(1);
    expect(again.stderr()).toMatch(
      /The database holds migration \S+, which this build does not know: a newer build migrated it\. Start that build, or restore a backup\./,
    );
  });

  it('opens the folder of its embedded database, and answers for its tokens', async () => {
    const folder = newFolder();
    const old = start(folder, {}, { checkout });
    await old.ready();
    const { client_id, client_secret, access_token } = sandboxIn(folder);
    old.child.kill('SIGTERM');
    await old.exit;
    const { sandbox } = await start(folder, {}).ready();
    const answer = await fetch(`${sandbox}/v1/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id,
        client_secret,
        token: access_token,
        token_type: 'access_token',
      }),
    });
    expect(await answer.json()).toMatchObject({ active: true, client_id });
  });
});

/** Sends requests to the nodes in turn, as long as they say that they are ready. */
function createBalancer(urls: readonly string[]) {
  let ready = [...urls];
  const known = [...urls];
  let turn = 0;
  const timer = setInterval(async () => {
    for (const url of [...known]) {
      const isReady = await fetch(`${url}/readyz`).then(
        (response) => response.ok,
        () => false,
      );
      if (!isReady) ready = ready.filter((one) => one !== url);
    }
  }, 200);
  return {
    next(): string {
      turn += 1;
      const url = ready[turn % ready.length];
      if (url === undefined) throw new Error('no node is ready');
      return url;
    },
    add(url: string): void {
      known.push(url);
      ready.push(url);
    },
    stop: () => clearInterval(timer),
  };
}
