import { createAskedTokens } from './asked-tokens.ts';
import type { Contender } from './harness.ts';
import { caller } from './http-caller.ts';
import type { TokenNode } from './token-node.ts';

/** Tokens that are asked for lie evenly among those that are not. */
const ASKED_FOR_ONE_IN = 20;

/** Makes this many tokens on a node, and asks for some of them at random while some are revoked. */
export async function introspecting(
  name: string,
  node: TokenNode,
  count: number,
  { isTidied = true, revokes = true } = {},
): Promise<Contender> {
  console.error(`making ${count.toLocaleString('en')} tokens`);
  const tokens = await node.addTokens(count, { knownOneIn: ASKED_FOR_ONE_IN });
  if (isTidied) await node.tidy();
  const { call, revokeSome } = createAskedTokens({
    tokens,
    formOf: node.formOf,
    revokeUrl: `${node.url}/v1/oauth2/revoke`,
  });
  const asking = caller(name, `${node.url}/v1/oauth2/introspect`, { ...call, pid: node.pid });
  return {
    ...asking,
    async work(forMs) {
      const [work] = await Promise.all([asking.work(forMs), revokes ? revokeSome(forMs) : undefined]);
      return work;
    },
  };
}
