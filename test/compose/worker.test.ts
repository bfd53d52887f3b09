import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { type DeliveringWorker, startWorker } from '../../src/main.ts';
import type { Database } from '../../src/storage/database.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { anyEngine, createTestDatabases } from '../support/database/databases.ts';
import { current, next, removed } from '../support/service/build-versions.ts';
import { createTestClock } from '../support/service/test-clock.ts';

interface Started {
  worker: DeliveringWorker;
  lines: string[];
  sandbox: Database;
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-worker-'));
  const databases = await createTestDatabases(anyEngine);
  const lines: string[] = [];
  const worker = await startWorker({
    config: loadConfig({ DATELINE_DATA_DIR: dataDir, DATELINE_SHUTDOWN_SECONDS: '2', ...env }),
    log: createLog('info', { write: (line) => void lines.push(line) }),
    say() {},
    abort(reason) {
      throw new Error(reason);
    },
    clock: createTestClock(),
    openDatabase: databases.open,
  });
  onTestFinished(async () => {
    await worker.stop();
    await databases.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { worker, lines, sandbox: await databases.open('sandbox') };
}

it('a process that only delivers logs that it starts, is ready, stops, and has stopped', async () => {
  const { worker, lines } = await start();
  expect(worker.probesUrl, 'without a port').toBeNull();
  await worker.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { role: 'worker', msg: 'starting' },
    { role: 'worker', msg: 'ready' },
    { msg: 'stopping' },
    { msg: 'stopped' },
  ]);
});

it('a worker with a port answers probes and numbers of both environments, by the version rules of every port', async () => {
  const { worker, sandbox } = await start({ DATELINE_WORKER_PORT: '0' });
  const ask = (path: string, init?: RequestInit) => fetch(`${worker.probesUrl}${path}`, init);
  const inVersion = (version: string) => ({ headers: { 'service-version': version } });

  for (const path of ['/healthz', '/readyz', '/metrics']) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('service-version')], path).toEqual([200, current]);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect((await ask(path, inVersion(next))).headers.get('service-version')).toBe(next);
    const refused = await ask(path, inVersion(removed));
    expect([refused.status, await refused.json()]).toMatchObject([
      404,
      { error: 'version_not_found', reason: 'removed', current },
    ]);
    expect((await ask(path, { method: 'POST' })).status, path).toBe(405);
    expect((await ask(path, { headers: { origin: 'https://elsewhere.example' } })).status, path).toBe(403);
  }
  for (const path of ['/', '/versions', '/v1/products/', '/operator/nodes', '/console'])
    expect((await ask(path)).status, path).toBe(404);

  const text = await (await ask('/metrics')).text();
  for (const environment of ['production', 'sandbox'])
    expect(text).toMatch(new RegExp(`^dateline_database_up\\{environment="${environment}"\\} 1$`, 'm'));
  expect(text.match(/^# TYPE dateline_database_up /gm), 'once for both').toHaveLength(1);
  expect(text).toMatch(/^dateline_webhook_attempt_duration_seconds_count\{environment="sandbox"\} 0$/m);

  await sandbox.close();
  await expect
    .poll(async () => (await ask('/readyz')).json())
    .toEqual({ status: 'unfit', problem: expect.stringMatching(/^sandbox: The database has not answered/) });
  expect((await ask('/healthz')).status).toBe(200);
});

it('a worker does not start on a port that is taken, and names the setting', async () => {
  const { worker } = await start({ DATELINE_WORKER_PORT: '0' });
  const { port } = new URL(worker.probesUrl ?? '');
  await expect(start({ DATELINE_WORKER_PORT: port })).rejects.toThrow(
    `Port ${port} is in use by another program; stop that program, or set DATELINE_WORKER_PORT to a free port.`,
  );
});
