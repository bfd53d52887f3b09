import type { Operation, TokenSecurity } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';
import type { TokenVerifier } from '../../oauth/tokens/verify-token.ts';
import type { ActiveToken, InactiveToken } from '../../oauth/types.ts';
import { bearerValue, unauthorized } from '../app/bearer.ts';
import { nameClient, requestContext } from '../edge/request-context.ts';
import type { ApiRequest } from './read-request.ts';

export const REALM = 'dateline';

/** The requirements of an operation on the caller's token. */
export interface TokenNeeds extends Pick<TokenSecurity, 'scopes' | 'or'> {
  /** True if the operation's contract lists `insufficient_scope`. */
  refusesForScope: boolean;
}

export function tokenNeeds({ errors }: Operation, { scopes, or }: TokenSecurity): TokenNeeds {
  const refusesForScope = errors[403]?.includes('insufficient_scope') ?? false;
  return { scopes, refusesForScope, ...(or ? { or } : {}) };
}

/** The access token of a request, or the RFC 6750 refusal, from what the primary says. */
export async function authenticateToken(
  request: ApiRequest,
  verify: TokenVerifier,
  needs: TokenNeeds,
): Promise<ActiveToken> {
  const sent = bearerValue(request);
  return admitToken(request, sent, sent === null ? null : await verify(sent), needs);
}

/**
 * The same for a call that is answered elsewhere: a standby may say that the token will do. Nothing is refused by what it says.
 */
export async function authenticateForwarded(
  request: ApiRequest,
  verify: TokenVerifier,
  needs: TokenNeeds,
): Promise<ActiveToken> {
  const sent = bearerValue(request);
  const suffices = (token: ActiveToken): boolean => isUsable(token) && refusalForScope(token, needs) === null;
  return admitToken(request, sent, sent === null ? null : await verify(sent, suffices), needs);
}

function admitToken(
  request: ApiRequest,
  sent: string | null,
  token: ActiveToken | InactiveToken | null,
  needs: TokenNeeds,
): ActiveToken {
  if (!token?.active || !isUsable(token)) throw unauthorized(REALM, sent);
  nameClient(requestContext(request.raw), token.clientId);
  const refusal = refusalForScope(token, needs);
  if (refusal !== null) throw refusal;
  return token;
}

/** Neither a refresh token nor a token made for another resource server is accepted. */
function isUsable({ kind, audience, clientId }: ActiveToken): boolean {
  return kind === 'access_token' && audience === clientId;
}

function refusalForScope(token: ActiveToken, { scopes, or, refusesForScope }: TokenNeeds): ApiError | null {
  const missing = or?.some((enough) => carries(token, enough)) ? [] : missingScopes(token, scopes);
  if (missing.length > 0) return insufficientScope(missing);
  // Also where any scope will do: nothing is left of what was granted.
  return token.hasLostAllScopes && refusesForScope ? insufficientScope([]) : null;
}

export function requireScopes(token: ActiveToken, needed: readonly string[]): void {
  const missing = missingScopes(token, needed);
  if (missing.length > 0) throw insufficientScope(missing);
}

/** True if the operation would serve a caller with this token, or without one. */
export function mayUse(token: ActiveToken | null, { security }: Operation): boolean {
  if (security.scheme !== 'bearer') return security.scheme === 'none';
  if (security.optional) return true;
  return token !== null && [security.scopes, ...(security.or ?? [])].some((scopes) => carries(token, scopes));
}

function carries(token: ActiveToken, needed: readonly string[]): boolean {
  return missingScopes(token, needed).length === 0;
}

function missingScopes({ scopes }: ActiveToken, needed: readonly string[]): string[] {
  return needed.filter((scope) => !scopes.some((held) => held === scope));
}

/** RFC 6750 §3.1 */
export function insufficientScope(missing: readonly string[]): ApiError {
  const named = missing.length === 0 ? '' : `, scope="${missing.join(' ')}"`;
  return new ApiError('insufficient_scope', {
    detail: `The token does not carry ${inWords(missing)}.`,
    headers: { 'www-authenticate': `Bearer realm="${REALM}", error="insufficient_scope"${named}` },
  });
}

function inWords([first, ...others]: readonly string[]): string {
  if (first === undefined) return 'any scope that its client may still have';
  return others.length === 0 ? `the scope ${first}` : `the scopes ${[first, ...others].join(', ')}`;
}
