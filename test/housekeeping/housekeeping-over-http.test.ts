import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { startService } from '../../src/main.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { homeTime } from '../support/build-versions.ts';
import { anyEngine, createTestDatabases } from '../support/databases.ts';
import { oauthCalls } from '../support/oauth-calls.ts';
import { operatorCalls } from '../support/operator-calls.ts';
import { createTestClock } from '../support/test-clock.ts';
import { startTestService } from '../support/test-service.ts';

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

  it('[outside 12] removes sandbox registrations that nobody used in 30 days, with their organization', async () => {
    const service = await startTestService(anyEngine, {}, homeTime, { housekeepingMs: 20 });
    const { get, lastAudit } = operatorCalls(service);
    const { token } = oauthCalls(service);
    const register = async () => {
      const response = await service.call('sandbox', '/v1/oauth2/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"grant_types":["client_credentials"]}',
      });
      const { client_id, client_secret } = (await response.json()) as Record<string, string>;
      const { organization_id } = (await get(`/operator/clients/${client_id}`)).body;
      return { client_id: client_id ?? '', client_secret: client_secret ?? '', organization_id };
    };
    const organizations = async () =>
      (await get('/operator/organizations?limit=100')).body.items.map(({ id }: { id: string }) => id);
    const isKnown = async ({ client_id, organization_id }: Awaited<ReturnType<typeof register>>) => [
      (await get(`/operator/clients/${client_id}`)).status,
      (await organizations()).includes(organization_id),
    ];
    const [unused, used] = [await register(), await register()];
    const { client_id, client_secret } = used;
    const form = { client_id, client_secret, grant_type: 'client_credentials' };
    expect((await token(form)).status).toBe(200);
    service.clock.advanceSeconds(15 * 24 * 3600);
    const recent = await register();
    service.clock.advanceSeconds(15 * 24 * 3600);
    await expect.poll(() => isKnown(unused)).toEqual([404, false]);
    expect([await isKnown(used), await isKnown(recent)]).toEqual([
      [200, true],
      [200, true],
    ]);
    expect(await lastAudit()).toMatchObject({
      actor_type: 'system',
      action: 'client.deleted',
      client_id: unused.client_id,
    });
    await service.stop();
  });
});
