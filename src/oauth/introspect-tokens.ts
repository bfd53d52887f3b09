import type { Environment } from '../environments/environment.ts';
import type { Throttle } from '../kernel/throttle.ts';
import { admit, type ClientRequest, hasSecret } from './admit-client.ts';
import { toldTo } from './introspect-token.ts';
import { type CallingClient, lookUp } from './store.ts';
import { tokenDigest } from './token-digest.ts';
import type { ActiveToken, InactiveToken } from './types.ts';

export type BatchIntrospector = (
  request: ClientRequest,
  tokenValues: readonly string[],
) => Promise<(ActiveToken | InactiveToken)[]>;

/** Tells a client about several tokens, each by the rules for one, in their order and in one round trip. */
export function createBatchIntrospector(environment: Environment, throttle: Throttle): BatchIntrospector {
  return async (request, tokenValues) => {
    const found = await lookUp(
      environment.session,
      tokenValues.map((tokenValue) => ({
        clientId: request.clientId,
        tokenDigest: tokenDigest(environment.name, tokenValue),
      })),
    );
    const caller = found[0]?.caller;
    admit(throttle, request, hasSecret(caller?.secretDigests, request.clientSecret));
    const now = environment.clock.now();
    return found.map(({ token }) => toldTo(caller as CallingClient, token, now));
  };
}
