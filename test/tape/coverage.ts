import type { Answer, Contract, Exchange, Operation } from '@dateline/versions';
import { needsScopes } from './common-steps.ts';

/** What a contract promises and no exchange shows: `things:read 404 not_found`. */
export function gapsIn(contract: Contract, exchanges: readonly Exchange[]): string[] {
  const shown = new Set(exchanges.map(({ operation, answer }) => `${operation} ${outcomeOf(answer)}`));
  return contract.operations
    .flatMap((operation) => outcomesOf(operation).map((outcome) => `${operation.id} ${outcome}`))
    .filter((promise) => !shown.has(promise) && !ONLY_IN_PRODUCTION.has(promise));
}

/** Everything is played in the sandbox, where registration is open. */
const ONLY_IN_PRODUCTION = new Set(['oauth2:register_client 401 invalid_token']);

/** A status, and for an error its code, in either error shape. */
export function outcomeOf({ status, body }: Answer): string {
  if (status < 400) return String(status);
  const { code, error } = (body ?? {}) as { code?: unknown; error?: unknown };
  return `${status} ${code ?? error}`;
}

function outcomesOf({ responses, errors, security }: Operation): string[] {
  const codes = Object.entries(errors).flatMap(([status, listed]) =>
    listed
      .filter((code) => code !== 'insufficient_scope' || needsScopes(security))
      .map((code) => `${status} ${code}`),
  );
  return [...Object.keys(responses), ...codes];
}
