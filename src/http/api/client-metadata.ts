import type { RequestTo } from '../../contracts/head/operation-types.ts';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ClientMetadata } from '../../oauth/clients/registration/client-limits.ts';
import type { StoredRegistration } from '../../oauth/clients/registration/store.ts';
import { offeredBy, type Scope } from '../../oauth/scopes/scopes.ts';
import { type GrantType, type OAuthClient, USUAL_ALGORITHM } from '../../oauth/types.ts';

/** Reads client metadata, with the defaults of RFC 7591 §2; of a client that is registered, what stays as it is. */
export function readMetadata(
  { scopes: known }: Pick<Context, 'scopes'>,
  { body, command }: Pick<RequestTo<'oauth2:register_client'>, 'body' | 'command'>,
  registered?: OAuthClient,
): ClientMetadata {
  const allowedGrants = [...new Set(body.grant_types ?? (['authorization_code'] as const))];
  requireSameResponses(allowedGrants, body.response_types);
  return {
    name: body.client_name,
    authMethod: body.token_endpoint_auth_method ?? 'client_secret_basic',
    allowedGrants,
    scopes: readScope(body.scope, offeredBy(command.knownScopes ?? known.all, known)),
    redirectUris: body.redirect_uris ?? [],
    requiresPkce: (command.keepsPkce ? registered?.requiresPkce : body.require_pkce) ?? true,
    idTokenAlgorithm:
      (command.keepsIdTokenAlgorithm ? registered?.idTokenAlgorithm : body.id_token_signed_response_alg) ??
      USUAL_ALGORITHM,
  };
}

/** RFC 7591 §3.2.1: all registered metadata is returned, also what was not requested. */
export function metadataBody({ client, authMethod }: StoredRegistration) {
  return {
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: authMethod,
    grant_types: client.allowedGrants,
    response_types: responseTypesOf(client.allowedGrants),
    client_name: client.name,
    scope: client.scopes.join(' '),
    require_pkce: client.requiresPkce,
    id_token_signed_response_alg: client.idTokenAlgorithm,
  };
}

/** RFC 7591 §2.1: the response type `code` goes with the grant type authorization_code, and never without it. */
function requireSameResponses(grants: readonly GrantType[], named: readonly string[] | undefined): void {
  const fitting = responseTypesOf(grants);
  if (named === undefined || named.join() === fitting.join()) return;
  throw new ApiError('invalid_client_metadata', {
    detail: 'response_types must be ["code"] with the grant type authorization_code, and [] without it.',
  });
}

function responseTypesOf(grants: readonly GrantType[]): string[] {
  return grants.includes('authorization_code') ? ['code'] : [];
}

function readScope(scope: string | undefined, knownHere: readonly Scope[]): readonly Scope[] | undefined {
  if (scope === undefined) return undefined;
  const named = new Set<string>(scope.split(' ').filter(Boolean));
  const known = knownHere.filter((candidate) => named.has(candidate));
  if (named.size > 0 && known.length === named.size) return known;
  throw new ApiError('invalid_client_metadata', {
    detail: `scope must name known scopes: ${knownHere.join(', ')}.`,
  });
}
