import type { Actor } from '../audit/types.ts';
import { type Scene, secretPrefix } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { isCheckedSecret, newCheckedSecret } from '../kernel/checked-secret.ts';
import { digestOf, digestsEqual } from '../kernel/digest.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../kernel/page.ts';
import {
  countLiveAdminKeys,
  insertOperatorKey,
  selectOperatorKey,
  selectOperatorKeys,
  updateOperatorKeyRevoked,
  useOperatorKey,
} from './store.ts';
import { isOperatorKeyId, type OperatorKey, type OperatorRole, operatorKeyIdPrefix } from './types.ts';

export interface CreatedOperatorKey {
  operatorKey: OperatorKey;
  /** Shown now and never again: only its digest is stored. */
  keyValue: string;
}

export function newOperatorKeyValue(scene: Pick<Scene, 'name'>): string {
  return newCheckedSecret(secretPrefix(scene.name, 'op'));
}

export interface NewOperatorKey {
  name: string;
  /** By default the key may do everything. */
  role?: OperatorRole | undefined;
}

export async function createOperatorKey(scene: Scene, input: NewOperatorKey): Promise<CreatedOperatorKey> {
  const keyValue = newOperatorKeyValue(scene);
  return { operatorKey: await storeOperatorKey(scene, { ...input, keyValue }), keyValue };
}

export async function storeOperatorKey(
  scene: Scene,
  input: NewOperatorKey & { keyValue: string },
): Promise<OperatorKey> {
  const now = scene.clock.now();
  const operatorKey: OperatorKey = {
    id: newId(operatorKeyIdPrefix, now),
    name: input.name,
    role: input.role ?? 'admin',
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertOperatorKey(scene.session, operatorKey, digestOf(input.keyValue));
  return operatorKey;
}

export async function listOperatorKeys(scene: Scene, page: PageRequest): Promise<Page<OperatorKey>> {
  return toPage(await selectOperatorKeys(scene.session, page), page.limit, (key) => key.id);
}

/** Refuses to revoke the last live key that may create others. */
export async function revokeOperatorKey(scene: Scene, id: string): Promise<OperatorKey> {
  return scene.transaction(async ({ session, clock }) => {
    await session.lock('operator_keys');
    const key = isOperatorKeyId(id) ? await selectOperatorKey(session, id) : null;
    if (!key) throw new ApiError('not_found', { detail: 'There is no operator key with this id.' });
    if (key.revokedAt) return key;
    if (key.role === 'admin' && (await countLiveAdminKeys(session)) === 1) {
      throw new ApiError('conflict', {
        detail: 'This is the last live operator key with the role admin; create another one first.',
      });
    }
    const revokedAt = clock.now();
    await updateOperatorKeyRevoked(session, key.id, revokedAt);
    return { ...key, revokedAt };
  });
}

/** The stored key with this value, if it is live. */
export async function findOperatorKey(
  scene: Scene,
  keyValue: string,
): Promise<Pick<OperatorKey, 'id' | 'name' | 'role'> | null> {
  if (!isCheckedSecret(secretPrefix(scene.name, 'op'), keyValue)) return null;
  return useOperatorKey(scene.session, digestOf(keyValue), scene.clock.now());
}

/** An operator as an actor: the id is that of their key. */
export type Operator = Extract<Actor, { type: 'operator' }> & Pick<OperatorKey, 'name' | 'role'>;
export type OperatorFinder = (keyValue: string) => Promise<Operator | null>;

/** Whoever has the key from the settings, which is not stored and may do everything. */
export const configuredOperator: Operator = {
  type: 'operator',
  id: 'configured',
  name: 'the key from the settings',
  role: 'admin',
};

/** Knows the stored keys, and the one from the settings. */
export function createOperatorFinder(scene: Scene, configuredKey: string | null): OperatorFinder {
  const configuredDigest = configuredKey === null ? null : digestOf(configuredKey);
  return async (keyValue) => {
    if (configuredDigest && digestsEqual(digestOf(keyValue), configuredDigest)) return configuredOperator;
    const key = await findOperatorKey(scene, keyValue);
    return key && { type: 'operator', ...key };
  };
}

/** The same for what only the role admin may do: a key with another one is as good as none. */
export function createAdminFinder(scene: Scene, configuredKey: string | null): OperatorFinder {
  const findOperator = createOperatorFinder(scene, configuredKey);
  return async (keyValue) => {
    const operator = await findOperator(keyValue);
    return operator?.role === 'admin' ? operator : null;
  };
}
