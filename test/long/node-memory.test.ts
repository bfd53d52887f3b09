import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { type SpawnedDateline, spawnDateline, startOptions } from '../support/service/spawn-dateline.ts';

const CONNECTIONS = 64;
const MINUTES = 10;
const MEGABYTES_MAX = 300;
/** What the collector leaves for later, and no more than that. */
const GROWTH_MAX = 1.1;

describe.runIf(process.platform === 'linux')('a node on PostgreSQL under load', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let database: PostgresDatabase;
  let dataDir: string;
  let node: SpawnedDateline;
  let base: string;
  let credentials: string;
  let clientToken: string;

  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    dataDir = mkdtempSync(join(tmpdir(), 'dateline-memory-'));
    const env = {
      DATABASE_URL: database.url,
      DATELINE_DATA_DIR: dataDir,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${startOptions()}`,
    };
    node = spawnDateline(['serve'], { env, ignoreLog: true });
    ({ sandbox: base } = await node.ready());
    const { sandbox } = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8'));
    credentials = `client_id=${sandbox.client_id}&client_secret=${sandbox.client_secret}`;
    clientToken = sandbox.access_token;
  });
  afterAll(async () => {
    agent.destroy();
    node?.child.kill();
    await node?.exit;
    await database?.drop();
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  });

  function post(path: string, form: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      request(`${base}${path}`, { method: 'POST', agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
        text(response).then(resolve, reject);
      })
        .on('error', reject)
        .end(`${form}&${credentials}`);
    });
  }

  /** What clients do all day: they get a token, resource servers ask about tokens, and one is given up. */
  async function useTokens(untilMs: number): Promise<number> {
    let requests = 0;
    while (performance.now() < untilMs) {
      const issued = JSON.parse(await post('/v1/oauth2/token', 'grant_type=client_credentials'));
      for (let count = 0; count < 8; count += 1) {
        const answer = await post('/v1/oauth2/introspect', `token=${clientToken}`);
        if (!answer.includes('"active":true')) throw new Error(answer);
      }
      await post('/v1/oauth2/revoke', `token=${issued.access_token}`);
      requests += 10;
    }
    return requests;
  }

  function residentMegabytes(): number {
    const status = readFileSync(`/proc/${node.child.pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
  }

  it(`stays below ${MEGABYTES_MAX} MB for ten minutes, and does not grow`, async () => {
    const endsAtMs = performance.now() + MINUTES * 60_000;
    const users = Promise.all(Array.from({ length: CONNECTIONS }, () => useTokens(endsAtMs)));
    const samples: number[] = [];
    while (performance.now() < endsAtMs) {
      await Promise.race([users, delay(1_000)]);
      samples.push(residentMegabytes());
    }
    const requests = (await users).reduce((sum, count) => sum + count, 0);
    const highest = Math.max(...samples);
    // Of the minutes after the first two, in which it warms up.
    const third = Math.floor((samples.length * (MINUTES - 2)) / MINUTES / 3);
    const meanOf = (part: readonly number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
    const [early, late] = [meanOf(samples.slice(-3 * third, -2 * third)), meanOf(samples.slice(-third))];
    printFigures(
      `${requests} requests in ${MINUTES} minutes: ${highest.toFixed(0)} MB at most, ${early.toFixed(0)} MB on average in minutes 3 to 5, ${late.toFixed(0)} MB in the last`,
    );
    expect(highest).toBeLessThan(MEGABYTES_MAX);
    expect(late / early).toBeLessThan(GROWTH_MAX);
  });
});
