import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { startWorker } from '../../src/main.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { anyEngine, createTestDatabases } from '../support/database/databases.ts';

it('a process that only delivers logs that it starts, is ready, stops, and has stopped', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-worker-'));
  const databases = await createTestDatabases(anyEngine);
  onTestFinished(async () => {
    await databases.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const lines: string[] = [];
  const worker = await startWorker({
    config: loadConfig({ DATELINE_DATA_DIR: dataDir, DATELINE_SHUTDOWN_SECONDS: '2' }),
    log: createLog('info', { write: (line) => void lines.push(line) }),
    say() {},
    abort(reason) {
      throw new Error(reason);
    },
    openDatabase: databases.open,
  });
  await worker.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { role: 'worker', msg: 'starting' },
    { role: 'worker', msg: 'ready' },
    { msg: 'stopping' },
    { msg: 'stopped' },
  ]);
});
