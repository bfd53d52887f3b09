import type { Environment } from '../../environments/environment.ts';
import { boundLargeReads } from '../../storage/batch-queries.ts';
import {
  type Admission,
  admit,
  type ClientRequest,
  isAdmitted,
} from '../clients/authentication/admit-client.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import { viewFor } from './introspect-token.ts';
import { createFirstUseRecorder } from './record-first-use.ts';
import { type CallingClient, type LookUpKey, lookUp } from './store.ts';
import { tokenDigest } from './token-digest.ts';
import type { TokenRecord } from './token-record.ts';
import { inactive, isDeadForGood } from './token-state.ts';

export type BatchIntrospector = (
  request: ClientRequest,
  tokenValues: readonly string[],
) => Promise<(ActiveToken | InactiveToken)[]>;

/**
 * Introspects several tokens, each by the rules for one, in their order and in one round trip. However many calls one client
 * makes, they leave connections for single tokens, and turns for other clients. What a standby says is used for the tokens that it
 * says are active or revoked; the others are asked on the primary.
 */
export function createBatchIntrospector(environment: Environment, admission: Admission): BatchIntrospector {
  const large = boundLargeReads(environment.database);
  const largeOnStandbys = boundLargeReads(environment.database);
  const { standbys } = environment;
  const recordFirstUse = createFirstUseRecorder(environment);

  /** The views of the tokens that are found active or revoked, and null for the others; null where no standby has answered. */
  async function onStandby(
    request: ClientRequest,
    keys: readonly LookUpKey[],
  ): Promise<readonly (ActiveToken | InactiveToken | null)[] | null> {
    if (!standbys.mayBeRead()) return null;
    const read = () => standbys.read((session) => lookUp(session, keys));
    const found = await largeOnStandbys.run(read, request.clientId);
    if (!found) return null;
    const caller = found[0]?.caller ?? null;
    if (caller === null || !isAdmitted(admission, request, caller)) return keys.map(() => null);
    return Promise.all(
      found.map(({ token }) => (token?.kind === 'access_token' ? settledView(caller, token) : null)),
    );
  }

  async function settledView(
    client: CallingClient,
    token: TokenRecord,
  ): Promise<ActiveToken | InactiveToken | null> {
    if (isDeadForGood(token, environment.clock.now())) return inactive;
    return activeView(client, token);
  }

  async function activeView(client: CallingClient, token: TokenRecord | null): Promise<ActiveToken | null> {
    const view = viewFor(environment, client, token);
    if (token === null || !view.active) return null;
    await recordFirstUse(token);
    return view;
  }

  async function onPrimary(
    request: ClientRequest,
    keys: readonly LookUpKey[],
  ): Promise<(ActiveToken | InactiveToken)[]> {
    const found = await large.run(() => lookUp(environment.session, keys), request.clientId);
    const client = admit(admission, request, found[0]?.caller ?? null);
    return Promise.all(found.map(async ({ token }) => (await activeView(client, token)) ?? inactive));
  }

  return async (request, tokenValues) => {
    const keys = tokenValues.map((tokenValue) => ({
      clientId: request.clientId,
      tokenDigest: tokenDigest(environment.name, tokenValue),
    }));
    const near = await onStandby(request, keys);
    const asked = near ? keys.filter((_, index) => near[index] === null) : keys;
    if (standbys.links.length > 0) standbys.noteFallbacks(near ? 'confirmed' : 'unread', asked.length);
    if (near && asked.length === 0) return near.flatMap((view) => view ?? []);
    const answered = await onPrimary(request, asked);
    const others = answered.values();
    return near ? near.map((view) => view ?? others.next().value ?? inactive) : answered;
  };
}
