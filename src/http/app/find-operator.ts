import type { Actor } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { findOperatorKey } from '../../identity/operator-keys.ts';
import { digestOf, digestsEqual } from '../../kernel/digest.ts';

/** An operator as an actor: the id is that of their key. */
export type Operator = Extract<Actor, { type: 'operator' }>;
export type OperatorFinder = (keyValue: string) => Promise<Operator | null>;

/** Knows the stored keys, and the one from the settings, which has no id. */
export function createOperatorFinder(scene: Scene, configuredKey: string | null): OperatorFinder {
  const configuredDigest = configuredKey === null ? null : digestOf(configuredKey);
  return async (keyValue) => {
    if (configuredDigest && digestsEqual(digestOf(keyValue), configuredDigest))
      return { type: 'operator', id: 'configured' };
    const key = await findOperatorKey(scene, keyValue);
    return key && { type: 'operator', id: key.id };
  };
}
