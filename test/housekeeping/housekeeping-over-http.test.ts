import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { repeat } from '../../src/kernel/repeat.ts';
import { startService } from '../../src/main.ts';
import { readQuickstart } from '../../src/quickstart/quickstart-file.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { newProduct } from '../support/contracts/products.ts';
import { anyEngine, createTestDatabases } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { homeTime, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { createTestClock } from '../support/service/test-clock.ts';
import { startTestService } from '../support/service/test-service.ts';
import { newEndpoint } from '../support/webhooks/webhooks.ts';

const DAY = 24 * 3_600;
const HOUSE_MS = 20;

describe('a running service', () => {
  it('[outside2 26] runs housekeeping, counts deleted rows, and ends it when the service stops', async () => {
    const { clock, metrics, readings, stop } = await start();
    expect(await metrics()).not.toContain('dateline_removed_rows_total{');
    // The demo user's access token expired a week ago.
    clock.advanceSeconds(8 * DAY);
    await expect.poll(metrics).toMatch(/^dateline_removed_rows_total\{table="oauth_tokens",.*\} 1$/m);
    await stop();
    // Every round asks what time it is. Nobody does any more, while others would have had ten rounds.
    const atStop = readings();
    let rounds = 0;
    const others = async () => {
      rounds += 1;
    };
    const stopOthers = repeat(others, { everyMs: HOUSE_MS, onError() {} });
    await expect.poll(() => rounds).toBeGreaterThanOrEqual(10);
    await stopOthers();
    expect(readings()).toBe(atStop);
  });

  it('[outside 12] lets events leave: 410 for a week after their retention, and then 404', async () => {
    const { clock, call } = await start();
    const { id } = await call('POST', '/v1/webhooks/endpoints', newEndpoint);
    await call('POST', '/v1/products/', newProduct);
    const list = async () => (await call('GET', `/v1/webhooks/events?endpoint_id=${id}`)).items;
    const [event] = await list();
    const again = async () => (await call('POST', `/v1/webhooks/events/${event.id}/redeliver`)).status;
    clock.advanceSeconds(90 * DAY + 1);
    await expect.poll(again).toBe(410);
    expect(await list()).toHaveLength(1);
    clock.advanceSeconds(7 * DAY);
    await expect.poll(again).toBe(404);
    expect(await list()).toEqual([]);
  });

  /** With housekeeping all the time, and calls of an integrator, whose token is always fresh. */
  async function start() {
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-house-'));
    const databases = await createTestDatabases(anyEngine);
    const clock = createTestClock();
    let readings = 0;
    const service = await startService({
      config: loadConfig({
        DATELINE_PORT: '0',
        DATELINE_SANDBOX_PORT: '0',
        DATELINE_DATA_DIR: dataDir,
        DATELINE_DELIVER: 'off',
      }),
      log: createLog('silent'),
      say() {},
      abort() {},
      clock: {
        nowMs: clock.nowMs,
        now() {
          readings += 1;
          return clock.now();
        },
      },
      openDatabase: databases.open,
      housekeepingMs: HOUSE_MS,
    });
    let stopping: Promise<void> | undefined;
    const stop = () => {
      stopping ??= service.stop();
      return stopping;
    };
    onTestFinished(async () => {
      await stop();
      await databases.close();
      rmSync(dataDir, { recursive: true });
    });
    const { sandbox } = service.urls;
    const { client_id = '', client_secret = '' } =
      readQuickstart(join(dataDir, 'quickstart.json'))?.sandbox ?? {};

    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
    async function call(method: string, path: string, sent?: unknown): Promise<any> {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
      const issued = await fetch(`${sandbox}/v1/oauth2/token`, { method: 'POST', body });
      const { access_token } = (await issued.json()) as { access_token: string };
      const response = await fetch(sandbox + path, {
        method,
        headers: {
          authorization: `Bearer ${access_token}`,
          'service-version': next,
          ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      });
      return response.json();
    }
    const metrics = async () => (await fetch(`${sandbox}/metrics`)).text();
    return { clock, call, metrics, stop, readings: () => readings };
  }

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
    // The use of a secret is written a moment later.
    await expect
      .poll(async () => (await get(`/operator/clients/${client_id}`)).body.secrets[0].last_used_at)
      .not.toBeNull();
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
