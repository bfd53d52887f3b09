import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS } from './http-caller.ts';
import { introspecting } from './introspecting.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

const SHARED_BUFFERS = '8GB';
const HELD = [10_000, 1_000_000, 10_000_000] as const;

const name = (count: number): string => `${count.toLocaleString('en')} tokens`;
const [few, many, most] = HELD;

export const bench: Bench = {
  name: 'held-tokens',
  description: `introspecting random ones of this many tokens over ${CONNECTIONS} kept connections, one node on PostgreSQL with shared_buffers of ${SHARED_BUFFERS}, while some are revoked`,
  onlyByName: true,
  ratios: [
    [name(many), name(few)],
    [name(most), name(few)],
  ],
  latencies: HELD.map(name),
  async prepare() {
    const server = await startPostgresServer({ sharedBuffers: SHARED_BUFFERS });
    const nodes: TokenNode[] = [];
    const contenders = [];
    for (const count of HELD) {
      const node = await startTokenNode(server.url, `bench_${count}`);
      nodes.push(node);
      contenders.push(await introspecting(name(count), node, count));
      console.error(`held-tokens: ${name(count)} and their grants take ${await node.size()}`);
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
