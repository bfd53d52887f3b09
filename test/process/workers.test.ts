import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Quickstart } from '../../src/quickstart/quickstart-file.ts';
import { statement } from '../../src/storage/statement.ts';
import { databasesAt, isFullMatrix } from '../support/database/databases.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { copyOrdersFor, edit } from '../support/folder/orders-folder.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { headingOf, seriousOf, signInToConsole } from '../support/http/console.ts';
import { runCommandLine } from '../support/service/command-line.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

interface Finding {
  check: string;
  state: string;
  message: string;
}

describe('a worker that breaks is seen in doctor, in what Home reads, and in the metrics', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-workers-'));
  const folder = copyOrdersFor();
  const otherFolder = copyOrdersFor();
  const started: SpawnedDateline[] = [];
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>;
  let url: string;
  let quickstart: Quickstart['sandbox'];

  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    const serving = start('serve');
    ({ sandbox: url } = await serving.ready());
    quickstart = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8')).sandbox;
  });
  afterAll(async () => {
    for (const { child, exit } of started) {
      child.kill('SIGKILL');
      await exit;
    }
    await database?.drop();
    for (const path of [dataDir, folder, otherFolder]) rmSync(path, { recursive: true, force: true });
  });

  function start(command: 'serve' | 'worker', api = folder): SpawnedDateline {
    const node = spawnDateline([command], {
      env: {
        DATABASE_URL: database.url,
        DATELINE_DATA_DIR: dataDir,
        DATELINE_API: api,
        DATELINE_DELIVER: 'off',
      },
    });
    started.push(node);
    return node;
  }

  async function ask(path: string): Promise<string> {
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${quickstart.operator_key}` },
    });
    expect(response.status).toBe(200);
    return response.text();
  }
  async function post(path: string, bearer: string, body: unknown, status: number): Promise<void> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.text()).toBe(status);
  }
  /** As doctor of the command line has it, and as Home does. */
  async function finding(check: string): Promise<[Finding | undefined, Finding | undefined]> {
    const settings = {
      DATELINE_SANDBOX_PUBLIC_URL: url,
      DATELINE_SANDBOX_OPERATOR_KEY: quickstart.operator_key,
    };
    const { out } = await runCommandLine(['doctor', '--json'], settings);
    const { items } = JSON.parse(await ask('/operator/doctor'));
    const find = (all: Finding[]) => all.find((one) => one.check === check);
    return [find(JSON.parse(out)), find(items)];
  }
  const both = (state: string, message: RegExp) =>
    Array(2).fill(expect.objectContaining({ state, message: expect.stringMatching(message) }));
  const states = async () =>
    (JSON.parse(await ask('/operator/nodes')).items as { kind: string; name: string; state: string }[])
      .filter(({ kind }) => kind === 'worker')
      .map(({ name, state }) => `${name.split(' ').at(-1)} ${state}`)
      .sort();
  const metric = async (name: string) =>
    Number(new RegExp(`^dateline_${name}.* (\\S+)$`, 'm').exec(await ask('/metrics'))?.[1]);

  /** A worker is seen as gone after 15 seconds, and an event as left alone after 5: they pass at once, but for long runs. */
  async function letTimePass(): Promise<void> {
    if (isFullMatrix) return;
    const databases = databasesAt(database.url);
    const sandbox = await databases.open('sandbox');
    const age = `update {schema}.nodes set seen_at = seen_at - interval '20 seconds' where kind = 'worker'`;
    await sandbox.run(statement('age_workers', age), []);
    const wait = `update {schema}.webhook_events set next_attempt_at = next_attempt_at - interval '20 seconds'`;
    await sandbox.run(statement('age_events', `${wait} where state = 'pending'`), []);
    await databases.close();
  }

  it('one that runs, one that runs another build, one that is frozen and goes on, and one that stops', async () => {
    expect(await finding('deliveries')).toEqual(both('warning', /start "dateline worker"/));
    const worker = start('worker');
    await expect.poll(states).toEqual([`${worker.child.pid} live`]);
    expect(await finding('deliveries')).toEqual(both('ok', /^1 process delivers webhooks; nothing is due/));
    expect(await finding('nodes')).toEqual(both('ok', /./));
    await expect.poll(() => metric('workers\\{state="live"')).toBe(1);

    edit(otherFolder, 'contract/changes/2026-10-to-2026-07/index.mjs', (text) => `${text}// Another one.\n`);
    const other = start('worker', otherFolder);
    await expect.poll(states).toHaveLength(2);
    const otherBuild = new RegExp(`^worker "\\S+ ${other.child.pid}" runs another build`);
    expect(await finding('nodes')).toEqual(both('warning', otherBuild));
    await expect.poll(() => metric('workers_other_build')).toBe(1);
    other.child.kill('SIGTERM');
    expect(await other.exit).toBe(0);
    expect(await finding('nodes')).toEqual(both('ok', /./));

    worker.child.kill('SIGSTOP');
    await letTimePass();
    await expect.poll(states, { timeout: 30_000 }).toContain(`${worker.child.pid} gone`);
    const frozen = new RegExp(`^worker "\\S+ ${worker.child.pid}" left no sign since .*frozen`);
    expect(await finding('nodes')).toEqual(both('warning', frozen));
    expect(await finding('deliveries')).toEqual(both('warning', /No process that delivers/));
    await expect.poll(() => metric('workers\\{state="gone"')).toBe(1);
    expect(await metric('workers\\{state="live"')).toBe(0);

    worker.child.kill('SIGCONT');
    await expect.poll(states).toContain(`${worker.child.pid} live`);
    expect(await finding('nodes')).toEqual(both('ok', /./));
    worker.child.kill('SIGTERM');
    expect(await worker.exit).toBe(0);
    expect(await states()).toContain(`${worker.child.pid} stopped`);
    expect(await finding('deliveries')).toEqual(both('warning', /start "dateline worker"/));
    await expect.poll(() => metric('workers\\{state="live"')).toBe(0);
    await expect.poll(() => metric('workers\\{state="gone"')).toBe(0);
  });

  describeInBrowser('where events are due', (open) => {
    it('a frozen one is seen in doctor, on Home and in the metrics, until it goes on and delivers', async () => {
      const receiver = await startReceiver();
      const hook = { url: `http://127.0.0.1:${receiver.port}/hook`, events: ['order.*'] };
      await post('/v1/webhooks/endpoints', quickstart.access_token, hook, 201);
      const worker = start('worker');
      await expect.poll(states).toContain(`${worker.child.pid} live`);
      const at = { urls: { sandbox: url }, quickstart: { sandbox: quickstart } };
      const { page, problems } = await signInToConsole(open, at);
      const nobody = page.getByText(/3 events are due, the oldest since .*, and nobody delivers/);
      const gone = page.getByText(new RegExp(`worker "\\S+ ${worker.child.pid}" left no sign since`));
      expect([await nobody.count(), await gone.count()]).toEqual([0, 0]);

      worker.child.kill('SIGSTOP');
      const organization_id = quickstart.organization_id;
      const events = ['a', 'b', 'c'].map((id) => ({
        id,
        type: 'order.placed',
        organization_id,
        data: ORDER,
      }));
      await post('/operator/events', quickstart.operator_key, { events }, 200);
      await letTimePass();
      await expect.poll(states, { timeout: 30_000 }).toContain(`${worker.child.pid} gone`);
      await expect
        .poll(() => finding('deliveries'), { timeout: 30_000 })
        .toEqual(both('problem', /^3 events are due, .* and nobody delivers: .*start "dateline worker"/));
      await page.reload();
      await nobody.waitFor();
      await gone.waitFor();
      await expect.poll(() => metric('events_due'), { timeout: 30_000 }).toBe(3);
      expect(await metric('events_oldest_untaken_seconds')).toBeGreaterThan(5);
      expect(receiver.requests).toHaveLength(0);

      worker.child.kill('SIGCONT');
      await expect.poll(() => receiver.requests.length, { timeout: 30_000 }).toBe(3);
      await expect.poll(states).toContain(`${worker.child.pid} live`);
      await page.reload();
      await headingOf(page, 'What needs attention', 2).waitFor();
      await nobody.waitFor({ state: 'detached' });
      await gone.waitFor({ state: 'detached' });
      await expect.poll(() => metric('events_due'), { timeout: 30_000 }).toBe(0);
      expect(seriousOf(problems)).toEqual([]);
      await page.close();
    });
  });
});

const ORDER = {
  id: 'ord-1',
  customer: 'Ada',
  lines: [{ sku: 'umbrella', quantity: 2 }],
  total: { amount: '25.00', currency: 'EUR' },
  state: 'placed',
};
