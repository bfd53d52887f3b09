import type { Operation, TokenSecurity } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';
import type { TokenVerifier } from '../../oauth/tokens/verify-token.ts';
import type { ActiveToken } from '../../oauth/types.ts';
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

/** The access token of a request, or the RFC 6750 refusal. */
export async function authenticateToken(
  request: ApiRequest,
  verify: TokenVerifier,
  { scopes, or, refusesForScope }: TokenNeeds,
): Promise<ActiveToken> {
  const sent = bearerValue(request);
  const token = sent === null ? null : await verify(sent);
  // Neither a refresh token nor a token made for another resource server is accepted.
  const usable = token?.active && token.kind === 'access_token' && token.audience === token.clientId;
  if (!usable) throw unauthorized(REALM, sent);
  nameClient(requestContext(request.raw), token.clientId);
  if (!or?.some((enough) => carries(token, enough))) requireScopes(token, scopes);
  // Also where any scope will do: nothing is left of what was granted.
  if (token.hasLostAllScopes && refusesForScope) throw insufficientScope([]);
  return token;
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
