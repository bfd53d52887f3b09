import type { Context } from '../environments/environment.ts';
import type { Endpoint } from './types.ts';

type Contracts = Pick<Context, 'contracts'>;

/** Returns true if events of a kind may not be sent to an endpoint: the client that made it has lost a scope to read them. */
export function isWithheld(
  { contracts }: Contracts,
  { lostScopes }: Pick<Endpoint, 'lostScopes'>,
  kind: string,
): boolean {
  if (lostScopes === null || lostScopes.length === 0) return false;
  return contracts.scopesOf(kind).some((scope) => lostScopes.includes(scope));
}

/** The kinds that are withheld, of every version. */
export function withheldKinds(context: Contracts, endpoint: Pick<Endpoint, 'lostScopes'>): string[] {
  const { contracts } = context;
  const kinds = contracts.maintained().flatMap((version) => contracts.kindsOf(version));
  return [...new Set(kinds.map(({ kind }) => kind))].filter((kind) => isWithheld(context, endpoint, kind));
}
