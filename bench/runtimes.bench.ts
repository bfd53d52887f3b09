import { join } from 'node:path';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import type { Bench, Contender } from './harness.ts';
import { CONNECTIONS } from './http-caller.ts';
import { installed } from './installed.ts';
import { introspecting } from './introspecting.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

/** By the names that we give them: what npm installs, and the program in it. */
const RUNTIMES = {
  'Node 20': ['node@20', 'node'],
  'Node 24': ['node@24', 'node'],
  'Bun 1': ['bun@1', 'bun'],
} as const;

const TOKENS = 100_000;

export const bench: Bench = {
  name: 'runtimes',
  description: `introspecting random ones of ${TOKENS.toLocaleString('en')} tokens over ${CONNECTIONS} kept connections, one node on PostgreSQL, while some are revoked`,
  onlyByName: true,
  ratios: [
    ['Node 24', 'Node 20'],
    ['Bun 1', 'Node 20'],
  ],
  latencies: Object.keys(RUNTIMES),
  mainThreads: [
    ['Node 24', 'Node 20'],
    ['Bun 1', 'Node 20'],
  ],
  async prepare() {
    const server = await startPostgresServer();
    const nodes: TokenNode[] = [];
    const contenders: Contender[] = [];
    for (const [name, [spec, program]] of Object.entries(RUNTIMES)) {
      const folder = installed(name.toLowerCase().replace(' ', '-'), [spec]);
      if (folder === null) continue;
      const runtime = join(folder, 'node_modules', '.bin', program);
      const node = await startTokenNode(server.url, `bench_${nodes.length}`, { runtime });
      nodes.push(node);
      contenders.push(await introspecting(name, node, TOKENS));
    }
    return {
      contenders,
      async close() {
        for (const node of nodes) await node.close();
        await server.stop();
      },
    };
  },
};
