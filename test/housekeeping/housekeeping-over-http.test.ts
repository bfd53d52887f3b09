import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { startService } from '../../src/main.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { anyEngine, createTestDatabases } from '../support/databases.ts';
import { createTestClock } from '../support/test-clock.ts';

describe('a running service', () => {
  it('runs housekeeping, counts deleted rows, and ends it when the service stops', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-house-'));
    const databases = await createTestDatabases(anyEngine);
    const clock = createTestClock();
    const service = await startService({
      config: loadConfig({ DATELINE_PORT: '0', DATELINE_SANDBOX_PORT: '0', DATELINE_DATA_DIR: dataDir }),
      log: createLog('silent'),
      say() {},
      abort() {},
      clock,
      openDatabase: databases.open,
      housekeepingMs: 20,
    });
    const metrics = async () => (await fetch(`${service.urls.sandbox}/metrics`)).text();
    expect(await metrics()).not.toContain('dateline_removed_rows_total{');
    // The demo user's access token expired a week ago.
    clock.advanceSeconds(8 * 24 * 3_600);
    await expect.poll(metrics).toMatch(/^dateline_removed_rows_total\{table="oauth_tokens",.*\} 1$/m);
    await service.stop();
    await databases.close();
    rmSync(dataDir, { recursive: true });
  });
});
