import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { createOAuthNodes, type Node, type OAuthNodes, postForm } from '../support/oauth/oauth-nodes.ts';
import { recordHistory, survivors } from '../support/oauth/revocation-history.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const CALLERS = 8;
const ACKNOWLEDGED_MAX = 50;

type Credentials = { client_id: string; client_secret: string };

/** Callers revoke one token after the other until the process is killed; returns what was answered 200. */
async function revokeUntilKilled(
  { url, credentials }: { url: string; credentials: Credentials },
  newTokens: () => Promise<{ revoke: string; dies: readonly string[] }>,
  kill: () => Promise<void>,
): Promise<string[]> {
  const acknowledged: string[] = [];
  let killed = false;
  let enough = (): void => {};
  const beforeKill = new Promise<void>((resolve) => {
    enough = resolve;
  });
  // By what was acknowledged, not by a time: others are being revoked at that moment, on any machine.
  let untilKilled = 1 + Math.floor(Math.random() * ACKNOWLEDGED_MAX);
  async function caller(): Promise<void> {
    while (!killed) {
      const { revoke, dies } = await newTokens();
      const answer = await postForm(url, 'revoke', { ...credentials, token: revoke });
      if (answer?.status !== 200) continue;
      acknowledged.push(...dies);
      untilKilled -= 1;
      if (untilKilled === 0) enough();
    }
  }
  const callers = Array.from({ length: CALLERS }, () => caller().catch(() => {}));
  await beforeKill;
  await kill();
  killed = true;
  await Promise.all(callers);
  return acknowledged;
}

async function stillActive(
  url: string,
  credentials: Credentials,
  tokens: readonly string[],
): Promise<string[]> {
  const active: string[] = [];
  for (let start = 0; start < tokens.length; start += 64) {
    const part = tokens.slice(start, start + 64);
    const answers = await Promise.all(
      part.map((token) => postForm(url, 'introspect', { ...credentials, token })),
    );
    part.forEach((token, index) => {
      const answer = answers[index];
      if (answer?.status !== 200) throw new Error(`introspect answered ${answer?.status}`);
      if (answer.body.active) active.push(token);
    });
  }
  return active;
}

describe('revocations on three nodes over one PostgreSQL', () => {
  let database: PostgresDatabase;
  let nodes: OAuthNodes;
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    nodes = await createOAuthNodes(database.url);
  });
  afterAll(async () => {
    await nodes?.close();
    await database?.drop();
  });

  it('are visible to every request that starts after their answer (64 callers, 50,000 looks)', async () => {
    const others = [await nodes.start(), await nodes.start()];
    const urls = [nodes.first, ...others].map(({ url }) => url);
    const history = await recordHistory(nodes, urls, { callers: 64, looks: 50_000 });
    for (const node of others) await node.kill('SIGTERM');
    expect(history.unexpected).toEqual([]);
    expect(survivors(history)).toEqual([]);
    expect(history.deadSinceMs.size).toBeGreaterThan(1_000);
    console.info(
      `${history.looks.length} looks, ${history.refreshes} refreshes, ${history.deadSinceMs.size} dead tokens`,
    );
  });

  it('that were answered 200 survive their node, killed with -9 a hundred times', async () => {
    const { credentials } = nodes;
    const acknowledged: string[] = [];
    // An access token is revoked alone, a refresh token with its grant.
    const newTokens = async () => {
      const { access, refresh } = await nodes.newFamily();
      return Math.random() < 0.5
        ? { revoke: access, dies: [access] }
        : { revoke: refresh, dies: [refresh, access] };
    };
    for (let round = 0; round < 100; round += 1) {
      const node: Node = await nodes.start();
      const kill = () => node.kill('SIGKILL');
      const fresh = await revokeUntilKilled({ url: node.url, credentials }, newTokens, kill);
      expect(await stillActive(nodes.first.url, credentials, fresh)).toEqual([]);
      acknowledged.push(...fresh);
    }
    expect(await stillActive(nodes.first.url, credentials, acknowledged)).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(1_000);
    console.info(`${acknowledged.length} dead tokens, 100 crashes, none came back`);
  });
});

describe('revocations on the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-revocations-'));
  let running: SpawnedDateline | undefined;
  afterAll(async () => {
    running?.child.kill('SIGKILL');
    await running?.exit;
    rmSync(folder, { recursive: true, force: true });
  });

  it('that were answered 200 survive their process, killed with -9 twenty times', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round <= 20; round += 1) {
      const service = spawnDateline(['serve'], {
        env: { DATELINE_DATA_DIR: folder, DATELINE_LOG_LEVEL: 'error' },
      });
      running = service;
      const { sandbox: url } = await service.ready();
      const credentials = demoClient();
      expect(await stillActive(url, credentials, acknowledged)).toEqual([]);
      if (round === 20) break;
      const newTokens = async () => {
        const answer = await postForm(url, 'token', { ...credentials, grant_type: 'client_credentials' });
        const token: string = answer?.body.access_token;
        return { revoke: token, dies: [token] };
      };
      const kill = async () => {
        service.child.kill('SIGKILL');
        await service.exit;
      };
      acknowledged.push(...(await revokeUntilKilled({ url, credentials }, newTokens, kill)));
    }
    console.info(`${acknowledged.length} dead tokens, 20 crashes, none came back`);
  });

  function demoClient(): Credentials {
    const { sandbox } = JSON.parse(readFileSync(join(folder, 'quickstart.json'), 'utf8'));
    return { client_id: sandbox.client_id, client_secret: sandbox.client_secret };
  }
});
