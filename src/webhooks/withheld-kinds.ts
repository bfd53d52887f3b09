import type { Scene } from '../environments/environment.ts';
import type { Endpoint } from './types.ts';

type Contracts = Pick<Scene, 'contracts'>;

/** Whether events of a kind may not be sent to an endpoint: the client that made it has lost a scope to read them. */
export function isWithheld(
  { contracts }: Contracts,
  { lostScopes }: Pick<Endpoint, 'lostScopes'>,
  kind: string,
): boolean {
  if (lostScopes === null || lostScopes.length === 0) return false;
  return contracts.scopesOf(kind).some((scope) => lostScopes.includes(scope));
}

/** All such kinds, of every version. */
export function withheldKinds(scene: Contracts, endpoint: Pick<Endpoint, 'lostScopes'>): string[] {
  const { contracts } = scene;
  const kinds = contracts.maintained().flatMap((version) => contracts.kindsOf(version));
  return [...new Set(kinds.map(({ kind }) => kind))].filter((kind) => isWithheld(scene, endpoint, kind));
}
