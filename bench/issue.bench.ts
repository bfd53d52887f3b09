import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import type { Bench, Contender } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { startOidcProvider } from './oidc-provider.ts';
import { startPgPeer } from './pg-peer.ts';
import { siblingPath, startServer } from './start-server.ts';
import { createStock } from './stock.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

const own = 'client_credentials';
const refresh = 'refresh';
const exchange = 'code exchange, with an id_token';
const bareServer = 'bare node:http with our headers, answering a constant';
const oidcProvider = 'oidc-provider, client_credentials in memory';
const pgPeer = '@node-oauth/oauth2-server, client_credentials on PostgreSQL';

export const bench: Bench = {
  name: 'issue',
  description: `issuing tokens over ${CONNECTIONS} kept connections, one node on PostgreSQL that waits for its disk`,
  ratios: [
    [own, bareServer],
    [own, oidcProvider],
    [own, pgPeer],
    [refresh, bareServer],
    [exchange, bareServer],
  ],
  latencies: [own, refresh, exchange],
  async prepare() {
    const server = await startPostgresServer({ durable: true });
    const node = await startTokenNode(server.url, 'bench_issue');
    const bare = await startServer([siblingPath(import.meta.url, 'bare-form-server')]);
    const oidc = await startOidcProvider();
    const peer = await startPgPeer(server.url, 'bench_issue_peer');
    const tokenUrl = `${node.url}/v1/oauth2/token`;
    const clientForm = `grant_type=client_credentials&${node.credentials}`;
    return {
      contenders: [
        caller(own, tokenUrl, { form: () => clientForm, expects: ISSUED, pid: node.pid }),
        await refreshing(node, tokenUrl),
        exchanging(node, tokenUrl),
        caller(bareServer, bare.url, { form: () => `token=none&${clientForm}`, pid: bare.pid }),
        ...(oidc
          ? [
              caller(oidcProvider, oidc.tokenUrl, {
                form: () => oidc.tokenForm,
                expects: ISSUED,
                pid: oidc.pid,
              }),
            ]
          : []),
        ...(peer
          ? [
              caller(pgPeer, `${peer.url}/token`, {
                form: () => `grant_type=client_credentials&${peer.credentials}`,
                expects: ISSUED,
                pid: peer.pid,
              }),
            ]
          : []),
      ],
      async close() {
        await peer?.stop();
        await oidc?.stop();
        await bare.stop();
        await node.close();
        await server.stop();
      },
    };
  },
};

const ISSUED = '"access_token":"';

function exchanging(node: TokenNode, tokenUrl: string): Contender {
  const { take, refill } = createStock((count) => node.addCodes(count));
  const form = (): string => node.codeForm(take());
  const expects = '"id_token":"';
  return { ...caller(exchange, tokenUrl, { form, expects, pid: node.pid }), beforeTurn: refill };
}

/** Each connection exchanges its own refresh token for the next one. */
async function refreshing(node: TokenNode, tokenUrl: string): Promise<Contender> {
  const tokens = await node.addTokens(CONNECTIONS, { kind: 'refresh_token' });
  return caller(refresh, tokenUrl, {
    pid: node.pid,
    form: (connection) => `grant_type=refresh_token&refresh_token=${tokens[connection]}&${node.credentials}`,
    onAnswer(connection, answer) {
      const [, successor] = /"refresh_token":"([^"]+)"/.exec(answer) ?? [];
      if (successor === undefined) throw new Error(`a refresh without a successor: ${answer}`);
      tokens[connection] = successor;
    },
  });
}
