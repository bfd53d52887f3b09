import { ApiError } from '../../errors/api-error.ts';
import type { OAuthClient } from '../types.ts';
import { type KnownScopes, type Scope, stillKnown } from './scopes.ts';

export interface ScopeRules {
  known: KnownScopes;
  /** The scopes that may be requested. */
  allowed: readonly Scope[];
  /** The scopes of a request that names none; by default all allowed ones. */
  ifOmitted?: readonly Scope[];
}

/** The scopes that a request names (RFC 6749 §3.3); all that it may have, or fewer, if it names none. */
export function parseScope(
  text: string | undefined,
  { known, allowed, ifOmitted = allowed }: ScopeRules,
): readonly Scope[] {
  if (text === undefined) return ifOmitted;
  const asked = [...new Set(text.split(' ').filter(Boolean))];
  const refused = asked.find((scope) => !allowed.includes(scope));
  if (refused !== undefined) throw invalidScope(refused, known);
  if (asked.length === 0) throw new ApiError('invalid_scope', { detail: 'scope is empty.' });
  return asked;
}

/** The scopes that a client may request: the API folder may have removed some since they were assigned. */
export function allowedTo(client: Pick<OAuthClient, 'scopes'>, known: KnownScopes): readonly Scope[] {
  return stillAllowed(client.scopes, client, known);
}

/** The granted scopes that the client may still have: an operator, or the API served here, may have removed some since. */
export function stillAllowed(
  granted: readonly Scope[],
  { scopes }: Pick<OAuthClient, 'scopes'>,
  known: KnownScopes,
): readonly Scope[] {
  const left = stillKnown(granted, known).filter((scope) => scopes.includes(scope));
  if (left.length === 0 && granted.length > 0) throw noneAllowed();
  return left;
}

/** Where nothing is left of what was granted. */
export function noneAllowed(): ApiError {
  return new ApiError('invalid_scope', { detail: 'The client is no longer allowed any of these scopes.' });
}

function invalidScope(scope: Scope, { all, usual }: KnownScopes): ApiError {
  return new ApiError('invalid_scope', {
    detail: all.includes(scope)
      ? `The scope ${scope} may not be requested here.`
      : `There is a scope that is not known here; known are ${usual.join(', ')}.`,
  });
}
