import { execFileSync } from 'node:child_process';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS } from './http-caller.ts';
import { introspecting } from './introspecting.ts';
import { startTokenNode } from './token-node.ts';

const TOKENS = 10_000;

/** The folder of a checkout of an earlier commit, in which `npm run build` was run. */
const { BENCH_BEFORE: earlier } = process.env;

const now = 'introspection, this build';
const before = 'introspection, the earlier build';

export const bench: Bench = {
  name: 'builds',
  description: `introspecting random tokens over ${CONNECTIONS} kept connections, one node on PostgreSQL: this build and that of the checkout in BENCH_BEFORE, “${subjectOf(earlier)}”`,
  onlyByName: true,
  ratios: [[now, before]],
  mainThreads: [[now, before]],
  async prepare() {
    if (earlier === undefined)
      throw new Error(
        'set BENCH_BEFORE to the folder of an earlier checkout in which "npm run build" was run',
      );
    const server = await startPostgresServer();
    const nodes = [
      await startTokenNode(server.url, 'bench_now'),
      await startTokenNode(server.url, 'bench_before', { checkout: earlier }),
    ] as const;
    return {
      contenders: [await introspecting(now, nodes[0], TOKENS), await introspecting(before, nodes[1], TOKENS)],
      async close() {
        for (const node of nodes) await node.close();
        await server.stop();
      },
    };
  },
};

/** What the commit of a checkout says that it is about. */
function subjectOf(checkout: string | undefined): string {
  if (checkout === undefined) return 'unset';
  return execFileSync('git', ['-C', checkout, 'log', '-1', '--format=%s'], { encoding: 'utf8' }).trim();
}
