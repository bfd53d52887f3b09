import { releaseInstant } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { importClient, importWebhooks } from '../support/oauth/clients.ts';
import { afterNext, current, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

describe('what operators see of nodes and releases', () => {
  const service = useTestService(anyEngine);
  const { get, post } = operatorCalls(service);

  it('[console] is every node that was here lately, and what it runs', async () => {
    await expect.poll(async () => (await get('/operator/nodes')).body.items).toHaveLength(1);
    const [node] = (await get('/operator/nodes')).body.items;
    expect(node).toMatchObject({ live: true, build: { node: process.version } });
    expect(Object.keys(node.build)).toContain('dateline');
  });

  it('[console] is what was decided about releases, by whom and why, newest first', async () => {
    expect((await get('/operator/release/history')).body.items).toEqual([]);
    const decide = (what: string, reason: string) =>
      post(`/operator/release/${what}`, { reason, outside_window: true });
    expect((await decide('run', 'a rehearsal')).status).toBeLessThan(300);
    service.clock.advanceSeconds(60);
    // The plan is about the release after it, which the calendar dates.
    expect((await get('/operator/release')).body).toMatchObject({
      current: next,
      rehearsal: true,
      target: afterNext,
      planned_at: releaseInstant(afterNext).toISOString(),
    });
    expect((await decide('undo', 'it was one')).status).toBeLessThan(300);
    const { items } = (await get('/operator/release/history')).body;
    expect(items).toMatchObject([
      { kind: 'undo', version: next, reason: 'it was one' },
      { kind: 'release', version: next, rehearsal: true, reason: 'a rehearsal' },
    ]);
    expect(items.map(({ actor }: { actor: string }) => actor)).toEqual(Array(2).fill(items[0].actor));
    expect(items[0].number).toBeGreaterThan(items[1].number);
  });

  it('[console] is what changed in a version, in words and as places in the contract', async () => {
    const { body } = await get(`/operator/versions/${next}/changes`);
    expect([body.version, body.since]).toEqual([next, current]);
    // Right after a release, nothing has changed yet.
    expect(body.groups.length > 0).toBe(body.differences.length > 0);
    for (const { notes } of body.groups)
      for (const note of notes) {
        expect([note.summary, note.why, note.upgrade_note]).not.toContain('');
        expect(note.says, 'its former name').toBe(note.summary);
      }
    // A build that was just released still knows the version that was removed: that can be undone.
    for (const unknown of ['2020-01', 'latest', '2026-13'])
      expect((await get(`/operator/versions/${unknown}/changes`)).status).toBe(404);
  });

  it('[outside2 23] lets the client of the new Next be imported as soon as a release was rehearsed', async () => {
    const { Dateline } = await importClient(afterNext);
    const { client_id: clientId, client_secret: clientSecret } = service.quickstart.sandbox;
    const client = new Dateline({ baseUrl: service.urls.sandbox, clientId, clientSecret });
    const isServed = async () => {
      const headers = { 'service-version': afterNext };
      return (await service.call('sandbox', '/versions', { headers })).status === 200;
    };
    const decide = async (what: string) => {
      const { status } = await post(`/operator/release/${what}`, {
        reason: 'a rehearsal',
        outside_window: true,
      });
      expect(status).toBeLessThan(300);
      service.clock.advanceSeconds(60);
    };
    service.clock.advanceSeconds(60);
    await expect.poll(isServed).toBe(false);
    await decide('run');
    await expect.poll(isServed).toBe(true);
    expect((await client.products.list()).items).toEqual(expect.any(Array));
    const signed = { type: 'product.created', data: {}, secret: `whsec_${btoa('x'.repeat(32))}` };
    const { signWebhookForTest } = await importWebhooks(afterNext);
    expect(JSON.parse((await signWebhookForTest(signed)).body as string)).toMatchObject({
      api_version: afterNext,
    });
    await decide('undo');
    await expect.poll(isServed).toBe(false);
    await expect(client.products.list()).rejects.toMatchObject({ status: 404 });
  });
});
