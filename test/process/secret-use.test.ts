import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readQuickstart } from '../../src/quickstart/quickstart-file.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { spawnDateline } from '../support/service/spawn-dateline.ts';

itInLongRuns(
  'a process records each use of a secret, up to the moment it stops',
  { timeout: 60_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-secret-use-'));
    const { url, drop } = await createPostgresDatabase({ migrated: true });
    const env = { DATELINE_DATA_DIR: dataDir, DATABASE_URL: url };
    const start = () => spawnDateline(['serve'], { env });
    const first = start();
    const { sandbox } = await first.ready();
    const quickstart = readQuickstart(join(dataDir, 'quickstart.json'))?.sandbox;
    const { client_id = '', client_secret = '', operator_key } = quickstart ?? {};
    const used = await fetch(`${sandbox}/v1/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, client_secret, token: 'x' }),
    });
    first.child.kill('SIGTERM');
    expect([used.status, await first.exit]).toEqual([200, 0]);
    const second = start();
    const again = await second.ready();
    const client = await fetch(`${again.sandbox}/operator/clients/${client_id}`, {
      headers: { authorization: `Bearer ${operator_key}` },
    });
    expect(await client.json()).toMatchObject({ secrets: [{ last_used_at: expect.any(String) }] });
    second.child.kill('SIGTERM');
    await second.exit;
    await drop();
    rmSync(dataDir, { recursive: true });
  },
);
