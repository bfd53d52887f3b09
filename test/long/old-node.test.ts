import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

describe('a Node that is too old', () => {
  it.each(['bin/dateline.mjs', 'tools/test.mjs', 'tools/test-long.mjs'])(
    'is reported in one sentence by %s',
    async (file) => {
      const { installNode } = (await import('../../tools/install-node.mjs' as string)) as {
        installNode(major: number): string;
      };
      const script = fileURLToPath(new URL(`../../${file}`, import.meta.url));
      const { status, stdout, stderr } = spawnSync(installNode(18), [script, 'serve'], { encoding: 'utf8' });
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^dateline: Dateline needs Node 20\.19 or later, and this is v18\.\d+\.\d+; install a newer Node\.\n$/,
      );
    },
  );
});
