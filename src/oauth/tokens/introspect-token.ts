import type { Context, Environment } from '../../environments/environment.ts';
import type { ClientRequest } from '../clients/authentication/admit-client.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import type { ClientGate, StandbyGate } from './client-gate.ts';
import { createFirstUseRecorder } from './record-first-use.ts';
import type { CallingClient } from './store.ts';
import type { TokenRecord } from './token-record.ts';
import { inactive, isDeadForGood, isLive, toActiveToken } from './token-state.ts';

export type TokenIntrospector = (
  request: ClientRequest,
  tokenValue: string,
) => Promise<ActiveToken | InactiveToken>;

export interface IntrospectionGates {
  primary: ClientGate;
  standby: StandbyGate | null;
}

/**
 * Introspects a token (RFC 7662), from the database at every call: nothing is cached, so a revocation that was
 * acknowledged on any node counts here. What a standby says is used where it is that the token is active, or that it was
 * revoked: other refusals may only be late, so the primary is asked.
 */
export function createTokenIntrospector(
  environment: Environment,
  { primary, standby }: IntrospectionGates,
): TokenIntrospector {
  const recordFirstUse = createFirstUseRecorder(environment);
  const see = (client: CallingClient, token: TokenRecord | null) => ({
    token,
    view: viewFor(environment, client, token),
  });
  const seeOnStandby = (client: CallingClient, token: TokenRecord) => {
    const seen = see(client, token);
    return seen.view.active || isDeadForGood(token, environment.clock.now()) ? seen : null;
  };

  async function seeOnPrimary(request: ClientRequest, tokenValue: string) {
    const { client, token } = await primary(request, tokenValue);
    return see(client, token);
  }

  return async (request, tokenValue) => {
    const near = standby && (await standby(request, tokenValue, seeOnStandby));
    const { token, view } = near ?? (await seeOnPrimary(request, tokenValue));
    if (token && view.active) await recordFirstUse(token);
    return view;
  };
}

type Viewing = Pick<Context, 'clock' | 'scopes'>;

/** Tokens the caller may not read are reported inactive (RFC 7662 §4). */
export function viewFor(
  { clock, scopes }: Viewing,
  client: CallingClient,
  token: TokenRecord | null,
): ActiveToken | InactiveToken {
  if (token === null || !isLive(token, clock.now())) return inactive;
  return mayRead(client, token) ? toActiveToken(token, scopes) : inactive;
}

/** The client that a token was issued to, and the resource server that it was made for. */
function mayRead({ id, kind, audiences }: CallingClient, token: TokenRecord): boolean {
  return token.clientId === id || (kind === 'resource_server' && audiences.includes(token.audience));
}
