import { describe, expect, it } from 'vitest';
import { current, next } from '../support/build-versions.ts';
import { anyEngine } from '../support/databases.ts';
import { operatorCalls } from '../support/operator-calls.ts';
import { useTestService } from '../support/test-service.ts';

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
      for (const note of notes) expect([note.says, note.why, note.upgrade_note]).not.toContain('');
    // A build that was just released still knows the version that was removed: that can be undone.
    for (const unknown of ['2020-01', 'latest', '2026-13'])
      expect((await get(`/operator/versions/${unknown}/changes`)).status).toBe(404);
  });
});
