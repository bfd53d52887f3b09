import { startPgBouncer } from '../test/support/database/pgbouncer.ts';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS } from './http-caller.ts';
import { introspecting } from './introspecting.ts';
import { startTokenNode } from './token-node.ts';

const TOKENS = 10_000;
/** As many as a node has connections for one environment. */
const POOL_SIZE = 8;

const straight = 'introspection, straight to PostgreSQL';
const pooled = 'introspection, through PgBouncer';

export const bench: Bench = {
  name: 'pooler',
  description: `introspecting random tokens over ${CONNECTIONS} kept connections, one node: through PgBouncer in transaction mode, and without`,
  // It needs a program that npm does not bring.
  onlyByName: true,
  ratios: [[pooled, straight]],
  latencies: [pooled, straight],
  mainThreads: [[pooled, straight]],
  async prepare() {
    const server = await startPostgresServer();
    const program = process.env.PGBOUNCER_PATH ?? '/usr/sbin/pgbouncer';
    const bouncer = await startPgBouncer(program, server.url, { poolSize: POOL_SIZE });
    const behind = { DATABASE_URL: bouncer.through(`${server.url}/bench_pooled`) };
    const nodes = [
      await startTokenNode(server.url, 'bench_straight'),
      await startTokenNode(server.url, 'bench_pooled', { settings: behind }),
    ] as const;
    return {
      contenders: [
        await introspecting(straight, nodes[0], TOKENS),
        await introspecting(pooled, nodes[1], TOKENS),
      ],
      async close() {
        for (const node of nodes) await node.close();
        await bouncer.stop();
        await server.stop();
      },
    };
  },
};
