import { ApiError } from '../../errors/api-error.ts';
import type { TokenVerifier } from '../../oauth/tokens/verify-token.ts';
import type { ActiveToken } from '../../oauth/types.ts';
import { bearerValue, unauthorized } from '../app/bearer.ts';
import { nameClient, requestContext } from '../edge/request-context.ts';
import type { ApiRequest } from './read-request.ts';

export const REALM = 'dateline';

/** The access token of a request, or the RFC 6750 refusal. */
export async function authenticateToken(
  request: ApiRequest,
  verify: TokenVerifier,
  neededScopes: readonly string[],
): Promise<ActiveToken> {
  const sent = bearerValue(request);
  const token = sent === null ? null : await verify(sent);
  // Neither a refresh token nor a token made for another resource server is accepted.
  const usable = token?.active && token.kind === 'access_token' && token.audience === token.clientId;
  if (!usable) throw unauthorized(REALM, sent);
  nameClient(requestContext(request.raw), token.clientId);
  requireScopes(token, neededScopes);
  return token;
}

export function requireScopes({ scopes }: ActiveToken, needed: readonly string[]): void {
  const missing = needed.filter((scope) => !scopes.some((held) => held === scope));
  if (missing.length > 0) throw insufficientScope(missing);
}

/** RFC 6750 §3.1 */
export function insufficientScope(missing: readonly string[]): ApiError {
  const words = missing.length === 1 ? 'the scope' : 'the scopes';
  return new ApiError('insufficient_scope', {
    detail: `The token does not carry ${words} ${missing.join(', ')}.`,
    headers: {
      'www-authenticate': `Bearer realm="${REALM}", error="insufficient_scope", scope="${missing.join(' ')}"`,
    },
  });
}
