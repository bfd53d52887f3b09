import { isDeepStrictEqual } from 'node:util';
import type { OAuthClient } from '../../types.ts';

/** The changed fields of a client, for the audit log. */
export interface ClientDifferences {
  before: Readonly<Record<string, unknown>>;
  after: Readonly<Record<string, unknown>>;
}

export function clientDifferences(before: OAuthClient, after: OAuthClient): ClientDifferences {
  const [one, other] = [changeable(before), changeable(after)];
  const changed = Object.keys(one).filter((field) => !isDeepStrictEqual(one[field], other[field]));
  const only = (of: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(changed.map((field) => [field, of[field]]));
  return { before: only(one), after: only(other) };
}

function changeable(client: OAuthClient): Readonly<Record<string, unknown>> {
  return {
    name: client.name,
    grant_types: client.allowedGrants,
    scopes: client.scopes,
    redirect_uris: client.redirectUris,
    audiences: client.audiences,
    require_pkce: client.requiresPkce,
    id_token_signed_response_alg: client.idTokenAlgorithm,
  };
}
