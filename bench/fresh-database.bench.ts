import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { introspecting } from './introspecting.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

const COUNT = 50_000;
const neverAnalysed = 'introspection, 50,000 tokens, never analysed';
const analysed = 'introspection, 50,000 tokens, analysed';

export const bench: Bench = {
  name: 'fresh-database',
  description: `introspecting random tokens over ${CONNECTIONS} kept connections right after they were made in an empty database, with plans from before`,
  ratios: [[neverAnalysed, analysed]],
  async prepare() {
    // It does no background work: nothing is analysed by itself.
    const server = await startPostgresServer();
    const nodes = [
      await startTokenNode(server.url, 'bench_never_analysed'),
      await startTokenNode(server.url, 'bench_analysed'),
    ] as const;
    for (const node of nodes) await preparePlans(node);
    return {
      contenders: [
        await introspecting(neverAnalysed, nodes[0], COUNT, { isTidied: false }),
        await introspecting(analysed, nodes[1], COUNT),
      ],
      async close() {
        for (const node of nodes) await node.close();
        await server.stop();
      },
    };
  },
};

/** Every connection to the database has its plans, made while there is one token. */
async function preparePlans(node: TokenNode): Promise<void> {
  const [token = ''] = await node.addTokens(1);
  const form = (): string => node.formOf(token);
  await caller('before', `${node.url}/v1/oauth2/introspect`, { form, expects: '"active":true' }).work(2_000);
}
