import type { Context, Environment } from '../../environments/environment.ts';
import type { ClientRequest } from '../clients/authentication/admit-client.ts';
import type { ActiveToken, InactiveToken } from '../types.ts';
import type { AdmittedWithToken, ClientGate, StandbyGate } from './client-gate.ts';
import { createFirstUseRecorder } from './record-first-use.ts';
import type { CallingClient } from './store.ts';
import type { TokenRecord } from './token-record.ts';
import { inactive, isLive, toActiveToken } from './token-state.ts';

export type TokenIntrospector = (
  request: ClientRequest,
  tokenValue: string,
) => Promise<ActiveToken | InactiveToken>;

export interface IntrospectionGates {
  primary: ClientGate;
  standby: StandbyGate;
}

/**
 * Introspects a token (RFC 7662), from the database at every call: nothing is cached, so a revocation that was
 * acknowledged on any node counts here. What a standby says is used where it is that the token is active.
 */
export function createTokenIntrospector(
  environment: Environment,
  { primary, standby }: IntrospectionGates,
): TokenIntrospector {
  const recordFirstUse = createFirstUseRecorder(environment);
  const isActive = ({ client, token }: AdmittedWithToken) => viewFor(environment, client, token).active;
  return async (request, tokenValue) => {
    const { client, token } =
      (await standby(request, tokenValue, isActive)) ?? (await primary(request, tokenValue));
    const view = viewFor(environment, client, token);
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
