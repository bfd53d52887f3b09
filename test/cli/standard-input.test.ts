import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { homeTime } from '../support/service/build-versions.ts';
import { operatorSettings } from '../support/service/command-line.ts';
import { spawnDateline } from '../support/service/spawn-dateline.ts';
import { useTestService } from '../support/service/test-service.ts';
import { buildWithFolderKinds, orderData } from '../support/webhooks/folder-kinds.ts';

describe('commands that read standard input', () => {
  const service = useTestService(anyEngine, {}, homeTime, { build: buildWithFolderKinds() });
  async function run(args: readonly string[], input: string) {
    const spawned = spawnDateline(args, { env: operatorSettings(service), input });
    expect(await spawned.exit).toBe(0);
    return { out: spawned.stdout(), all: spawned.stdout() + spawned.stderr() };
  }

  it('explain a token without printing it', async () => {
    const token = service.quickstart.sandbox.access_token;
    const { out, all } = await run(['token', 'explain', '--token', '-'], `${token}\n`);
    expect(out).toMatch(/^It is active\.\nstate +active\ntoken_id +tok_\w+\n/);
    expect(all).not.toContain(token);
  });

  it('report leaks, identified by their number in it', async () => {
    const tokens = [service.quickstart.sandbox.access_token, 'dl_test_at_nothing'];
    const { out, all } = await run(['leak', 'report', '--source', 'a paste', '--json'], tokens.join('\n'));
    expect(JSON.parse(out)).toMatchObject([
      { number: 1, kind: 'access_token', token_id: expect.stringMatching(/^tok_/) },
      { number: 2, kind: null, outcome: 'unknown' },
    ]);
    for (const token of tokens) expect(all).not.toContain(token);
  });

  it('[own events] publish events, one a line', async () => {
    const order = (id: string) =>
      JSON.stringify({
        id,
        type: 'order.created',
        organization_id: service.quickstart.sandbox.organization_id,
        data: orderData(1),
      });
    const { out } = await run(
      ['event', 'publish', '--file', '-'],
      `${order('piped-1')}\r\n${order('piped-2')}`,
    );
    expect(out).toBe('dry_run    false\npublished  2\nalready    0\n');
  });
});
