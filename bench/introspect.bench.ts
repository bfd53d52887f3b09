import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import { startBetterAuth } from './better-auth.ts';
import type { Bench, Contender } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { introspecting } from './introspecting.ts';
import { startOidcProvider } from './oidc-provider.ts';
import { type PgPeer, startPgPeer } from './pg-peer.ts';
import { siblingPath, startServer } from './start-server.ts';
import { startTokenNode } from './token-node.ts';

const MANY = 1_000_000;
const FEW = 10_000;

const many = 'introspection, 1,000,000 tokens';
const few = 'introspection, 10,000 tokens';
const constantEdge = 'our edge, answering a constant';
const bareServer = 'bare node:http with our headers, answering a constant';
const oidcProvider = 'oidc-provider, in memory';
const betterAuth = 'better-auth, in memory';
const pgPeer = '@node-oauth/oauth2-server on PostgreSQL, 1,000,000 tokens';

export const bench: Bench = {
  name: 'introspect',
  description: `introspecting random tokens over ${CONNECTIONS} kept connections, one node on PostgreSQL, while some are revoked`,
  ratios: [
    [many, few],
    [many, constantEdge],
    [many, bareServer],
    [many, oidcProvider],
    [many, betterAuth],
    [many, pgPeer],
  ],
  latencies: [many, bareServer],
  mainThreads: [[many, bareServer]],
  async prepare() {
    const server = await startPostgresServer();
    const nodes = [
      await startTokenNode(server.url, 'bench_many'),
      await startTokenNode(server.url, 'bench_few'),
    ] as const;
    const edge = await startServer([siblingPath(import.meta.url, 'constant-edge')]);
    const bare = await startServer([siblingPath(import.meta.url, 'bare-form-server')]);
    const oidc = await startOidcProvider();
    const better = await startBetterAuth();
    const peer = await startPgPeer(server.url, 'bench_peer');
    const [model = ''] = await nodes[0].addTokens(1);
    const constant = { form: () => nodes[0].formOf(model), expects: ACTIVE };
    return {
      contenders: [
        await introspecting(many, nodes[0], MANY),
        await introspecting(few, nodes[1], FEW),
        caller(constantEdge, `${edge.url}/v1/oauth2/introspect`, { ...constant, pid: edge.pid }),
        caller(bareServer, `${bare.url}/v1/oauth2/introspect`, { ...constant, pid: bare.pid }),
        ...(oidc
          ? [caller(oidcProvider, oidc.introspectionUrl, { form: oidc.form, expects: ACTIVE, pid: oidc.pid })]
          : []),
        ...(better
          ? [
              caller(betterAuth, better.introspectionUrl, {
                form: better.form,
                expects: ACTIVE,
                pid: better.pid,
              }),
            ]
          : []),
        ...(peer ? [await byPgPeer(peer)] : []),
      ],
      async close() {
        await peer?.stop();
        await better?.stop();
        await oidc?.stop();
        await bare.stop();
        await edge.stop();
        for (const node of nodes) await node.close();
        await server.stop();
      },
    };
  },
};

const ACTIVE = '"active":true';

async function byPgPeer(peer: PgPeer): Promise<Contender> {
  const tokens = await peer.addTokens(MANY);
  const form = (): string => `token=${tokens[Math.floor(Math.random() * MANY)]}&${peer.credentials}`;
  return caller(pgPeer, `${peer.url}/introspect`, { form, expects: ACTIVE, pid: peer.pid });
}
