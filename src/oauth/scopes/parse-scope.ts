import { ApiError } from '../../errors/api-error.ts';
import type { OAuthClient } from '../types.ts';
import { knownScopes, type Scope, scopes } from './scopes.ts';

/** The scopes that a request names (RFC 6749 §3.3); all that it may have, or fewer, if it names none. */
export function parseScope(
  text: string | undefined,
  allowed: readonly Scope[],
  ifOmitted: readonly Scope[] = allowed,
): readonly Scope[] {
  if (text === undefined) return ifOmitted;
  const asked = [...new Set(text.split(' ').filter(Boolean))];
  const isAllowed = (scope: string): scope is Scope => allowed.some((one) => one === scope);
  if (!asked.every(isAllowed)) throw invalidScope(asked.find((scope) => !isAllowed(scope)) ?? '');
  if (asked.length === 0) throw new ApiError('invalid_scope', { detail: 'scope names no scope.' });
  return asked;
}

/** The granted scopes that the client may still have: an operator may have removed some since. */
export function stillAllowed(
  granted: readonly Scope[],
  { scopes }: Pick<OAuthClient, 'scopes'>,
): readonly Scope[] {
  const left = granted.filter((scope) => scopes.includes(scope));
  if (left.length === 0 && granted.length > 0)
    throw new ApiError('invalid_scope', { detail: 'None of the scopes is allowed to this client any more.' });
  return left;
}

function invalidScope(scope: string): ApiError {
  const known = knownScopes.some((one) => one === scope);
  return new ApiError('invalid_scope', {
    detail: known
      ? `The scope ${scope} is more than may be asked for here.`
      : `There is a scope that is not known here; known are ${scopes.join(', ')}.`,
  });
}
