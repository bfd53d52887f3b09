import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import { type ClientModule, importClient } from '../test/support/oauth/clients.ts';
import { next } from '../test/support/service/build-versions.ts';
import { type Bench, type Contender, keepBusy } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { siblingPath, startServer } from './start-server.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

/** As many as a busy resource server has under way. */
const CALLERS = 512;
const TOKENS = 10_000;

const together = 'tokens, by calls of introspect() that travel together';
const alone = 'tokens, by calls that travel alone';
const bareServer = 'requests to bare node:http with our headers, answering a constant';

export const bench: Bench = {
  name: 'client',
  description: `introspecting by the client of Next with ${CALLERS} calls under way, one node on PostgreSQL; the bare server over ${CONNECTIONS} kept connections`,
  ratios: [
    [together, bareServer],
    [together, alone],
  ],
  latencies: [together],
  async prepare() {
    const server = await startPostgresServer();
    const node = await startTokenNode(server.url, 'bench_client');
    const bare = await startServer([siblingPath(import.meta.url, 'bare-form-server')]);
    const tokens = await node.addTokens(TOKENS);
    await node.tidy();
    const [model = ''] = tokens;
    const { Dateline } = await importClient(next);
    return {
      contenders: [
        asking(together, { node, tokens, Dateline }, {}),
        // An option of its own makes a call travel alone.
        asking(alone, { node, tokens, Dateline }, { timeoutMs: 30_000 }),
        caller(bareServer, bare.url, { form: () => node.formOf(model), pid: bare.pid }),
      ],
      async close() {
        await bare.stop();
        await node.close();
        await server.stop();
      },
    };
  },
};

interface Asked extends Pick<ClientModule, 'Dateline'> {
  node: TokenNode;
  tokens: readonly string[];
}

function asking(name: string, { node, tokens, Dateline }: Asked, options: object): Contender {
  const given = new URLSearchParams(node.credentials);
  const client = new Dateline({
    baseUrl: node.url,
    clientId: given.get('client_id') ?? '',
    clientSecret: given.get('client_secret') ?? '',
  });
  const ask = async (): Promise<void> => {
    const token = tokens[Math.floor(Math.random() * tokens.length)] ?? '';
    const { active } = await client.oauth.introspect({ token }, options);
    if (!active) throw new Error('a live token was answered as inactive');
  };
  return { name, work: (forMs) => keepBusy(CALLERS, forMs, ask), pid: node.pid };
}
