import type { Environment } from '../../environments/environment.ts';
import { boundLargeReads } from '../../storage/batch-queries.ts';
import { type Admission, admit, type ClientRequest } from '../clients/authentication/admit-client.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import { viewFor } from './introspect-token.ts';
import { createFirstUseRecorder } from './record-first-use.ts';
import { lookUp } from './store.ts';
import { tokenDigest } from './token-digest.ts';

export type BatchIntrospector = (
  request: ClientRequest,
  tokenValues: readonly string[],
) => Promise<(ActiveToken | InactiveToken)[]>;

/**
 * Introspects several tokens, each by the rules for one, in their order and in one round trip. However many calls one client
 * makes, they leave connections for single tokens, and turns for other clients.
 */
export function createBatchIntrospector(environment: Environment, admission: Admission): BatchIntrospector {
  const large = boundLargeReads(environment.database);
  const recordFirstUse = createFirstUseRecorder(environment);
  return async (request, tokenValues) => {
    const keys = tokenValues.map((tokenValue) => ({
      clientId: request.clientId,
      tokenDigest: tokenDigest(environment.name, tokenValue),
    }));
    const found = await large.run(() => lookUp(environment.session, keys), request.clientId);
    const client = admit(admission, request, found[0]?.caller ?? null);
    const views = found.map(({ token }) => viewFor(environment, client, token));
    const used = found.flatMap(({ token }, index) => (token && views[index]?.active ? [token] : []));
    await Promise.all(used.map(recordFirstUse));
    return views;
  };
}
