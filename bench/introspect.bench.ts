import { startPostgresServer } from '../test/support/postgres-server.ts';
import type { Bench, Contender } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { type OidcProvider, startOidcProvider } from './oidc-provider.ts';
import { siblingPath, startServer } from './start-server.ts';
import { startTokenNode, type TokenNode } from './token-node.ts';

const MANY = 1_000_000;
const FEW = 10_000;
/** Tokens that are asked for lie evenly among those that are not. */
const ASKED_FOR_ONE_IN = 20;

const many = 'introspection, 1,000,000 tokens';
const few = 'introspection, 10,000 tokens';
const constantEdge = 'our edge, answering a constant';
const bareServer = 'bare node:http, answering a constant';
const oidcProvider = 'oidc-provider, in memory';

export const bench: Bench = {
  name: 'introspect',
  says: `introspecting random tokens over ${CONNECTIONS} kept connections, one node on PostgreSQL`,
  ratios: [
    [many, few],
    [many, constantEdge],
    [many, bareServer],
    [many, oidcProvider],
  ],
  latencies: [many],
  async prepare() {
    const server = await startPostgresServer();
    const nodes = [
      await startTokenNode(server.url, 'bench_many'),
      await startTokenNode(server.url, 'bench_few'),
    ] as const;
    const edge = await startServer([siblingPath(import.meta.url, 'constant-edge')]);
    const bare = await startServer([siblingPath(import.meta.url, 'bare-form-server')]);
    const oidc = await startOidcProvider();
    if (!oidc) console.error('introspect: npm could not install oidc-provider; the comparison is left out');
    const manyTokens = await introspection(many, nodes[0], MANY);
    const { form } = manyTokens;
    return {
      contenders: [
        manyTokens.contender,
        (await introspection(few, nodes[1], FEW)).contender,
        caller(constantEdge, `${edge.url}/v1/oauth2/introspect`, { form, expects: ACTIVE }),
        caller(bareServer, `${bare.url}/v1/oauth2/introspect`, { form, expects: ACTIVE }),
        ...(oidc ? [ofOidcProvider(oidc)] : []),
      ],
      async close() {
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

async function introspection(name: string, node: TokenNode, tokens: number) {
  console.error(`introspect: making ${tokens.toLocaleString('en')} tokens`);
  const forms = (await node.addTokens(tokens))
    .filter((_, index) => index % ASKED_FOR_ONE_IN === 0)
    .map(node.formOf);
  await node.tidy();
  const form = (): string => forms[Math.floor(Math.random() * forms.length)] as string;
  return { form, contender: caller(name, `${node.url}/v1/oauth2/introspect`, { form, expects: ACTIVE }) };
}

function ofOidcProvider({ introspectionUrl, form }: OidcProvider): Contender {
  return caller(oidcProvider, introspectionUrl, { form, expects: ACTIVE });
}
