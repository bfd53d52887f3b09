import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const ROUNDS = 20;
const WRITERS = 4;
const ACKNOWLEDGED_MAX = 100;

describe('the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-crash-'));
  let running: SpawnedDateline | undefined;
  afterAll(async () => {
    running?.child.kill('SIGKILL');
    await running?.exit;
    rmSync(folder, { recursive: true, force: true });
  });

  it(`keeps every acknowledged write through ${ROUNDS} kills with -9 at random moments`, async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      running = spawnDateline(['serve'], { env: { DATELINE_DATA_DIR: folder, DATELINE_LOG_LEVEL: 'error' } });
      const { sandbox } = await running.ready();
      const stored = new Set(await organizationNames(sandbox));
      expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
      if (round === ROUNDS) break;
      await writeUntilKilled(running, sandbox, `round ${round}`, acknowledged);
    }
    console.info(`${acknowledged.length} acknowledged writes, ${ROUNDS} crashes, none lost`);
  });

  const headers = () => ({
    authorization: `Bearer ${JSON.parse(readFileSync(join(folder, 'quickstart.json'), 'utf8')).sandbox.operator_key}`,
    'content-type': 'application/json',
  });

  async function writeUntilKilled(
    { child, exit }: SpawnedDateline,
    url: string,
    prefix: string,
    acknowledged: string[],
  ): Promise<void> {
    const init = { method: 'POST', headers: headers() };
    // By what was acknowledged, not by a time: others are being written at that moment, on any machine.
    let untilKilled = 1 + Math.floor(Math.random() * ACKNOWLEDGED_MAX);
    async function write(writer: number): Promise<void> {
      for (let count = 0; ; count += 1) {
        const name = `${prefix} writer ${writer} number ${count}`;
        const response = await fetch(`${url}/operator/organizations`, {
          ...init,
          body: JSON.stringify({ name }),
        });
        if (response.status !== 201) continue;
        acknowledged.push(name);
        untilKilled -= 1;
        if (untilKilled === 0) child.kill('SIGKILL');
      }
    }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer).catch(() => {}));
    await exit;
    await Promise.all(writers);
  }

  async function organizationNames(url: string): Promise<string[]> {
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const response = await fetch(`${url}/operator/organizations?limit=100&cursor=${cursor}`, {
        headers: headers(),
      });
      const page = (await response.json()) as {
        items: { name: string }[];
        pagination: { next_cursor: string | null };
      };
      names.push(...page.items.map(({ name }) => name));
      cursor = page.pagination.next_cursor;
    }
    return names;
  }
});
