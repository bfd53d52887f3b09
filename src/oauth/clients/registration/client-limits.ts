import { ApiError } from '../../../errors/api-error.ts';
import { type KnownScopes, type Scope, stillKnown } from '../../scopes/scopes.ts';
import type { GrantType, SigningAlgorithm } from '../../types.ts';
import type { ClientLimits } from '../clients/client-terms.ts';
import type { AuthMethod } from './store.ts';

/** Client metadata (RFC 7591 §2). What is missing gets our defaults, within the client's limits. */
export interface ClientMetadata {
  name?: string | undefined;
  authMethod: AuthMethod;
  allowedGrants: readonly GrantType[];
  scopes?: readonly Scope[] | undefined;
  redirectUris: readonly string[];
  requiresPkce: boolean;
  idTokenAlgorithm: SigningAlgorithm;
}

export interface ChosenMetadata extends ClientMetadata {
  name: string;
  scopes: readonly Scope[];
}

/** Completes what a client asks for with our defaults; throws where it is more than the operator has allowed. */
export function withinLimits(
  limits: ClientLimits,
  asked: ClientMetadata,
  known: KnownScopes,
): ChosenMetadata {
  const mostScopes = limits.scopes && stillKnown(limits.scopes, known);
  const chosen: ChosenMetadata = {
    ...asked,
    name: asked.name ?? limits.name ?? 'Unnamed client',
    scopes: asked.scopes ?? defaultScopes(mostScopes, known),
  };
  if (limits.name !== undefined && chosen.name !== limits.name)
    throw refused('client_name was set by the operator, and stays as it is.');
  refuseBeyond('scope', chosen.scopes, mostScopes);
  refuseBeyond('grant_types', chosen.allowedGrants, limits.allowedGrants);
  if (limits.requiresPkce && !chosen.requiresPkce)
    throw refused('require_pkce was set by the operator, and stays as it is.');
  if (isBeyond(chosen.redirectUris, limits.redirectUris))
    throw new ApiError('invalid_redirect_uri', {
      detail: 'redirect_uris must be some of those that the operator has set for this client.',
    });
  return chosen;
}

function defaultScopes(most: readonly Scope[] | undefined, { usual }: KnownScopes): readonly Scope[] {
  if (most === undefined) return usual;
  const usualOfThese = usual.filter((scope) => most.includes(scope));
  return usualOfThese.length > 0 ? usualOfThese : most;
}

function refuseBeyond(field: string, chosen: readonly string[], most: readonly string[] | undefined): void {
  if (isBeyond(chosen, most))
    throw refused(`${field} must be within what the operator allows this client: ${most?.join(', ')}.`);
}

function isBeyond(chosen: readonly string[], most: readonly string[] | undefined): boolean {
  return most !== undefined && !chosen.every((one) => most.includes(one));
}

function refused(detail: string): ApiError {
  return new ApiError('invalid_client_metadata', { detail });
}
