import type { Actor } from '../audit/types.ts';
import { type Context, secretPrefix } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { isCheckedSecret, newCheckedSecret } from '../kernel/checked-secret.ts';
import { digestOf, digestsEqual } from '../kernel/digest.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../kernel/page.ts';
import {
  countLiveAdminKeys,
  insertOperatorKey,
  selectLiveOperatorKeys,
  selectOperatorKey,
  selectOperatorKeyNames,
  selectOperatorKeys,
  updateOperatorKeyRevoked,
  useOperatorKey,
} from './store.ts';
import {
  isOperatorKeyId,
  type OperatorKey,
  type OperatorKeyId,
  type OperatorRole,
  operatorKeyIdPrefix,
} from './types.ts';

export interface CreatedOperatorKey {
  operatorKey: OperatorKey;
  /** Shown now and never again: only its digest is stored. */
  keyValue: string;
}

export function newOperatorKeyValue(context: Pick<Context, 'name'>): string {
  return newCheckedSecret(secretPrefix(context.name, 'op'));
}

export interface NewOperatorKey {
  name: string;
  /** By default the key may do everything. */
  role?: OperatorRole | undefined;
}

export async function createOperatorKey(
  context: Context,
  input: NewOperatorKey,
): Promise<CreatedOperatorKey> {
  const keyValue = newOperatorKeyValue(context);
  return { operatorKey: await storeOperatorKey(context, { ...input, keyValue }), keyValue };
}

export async function storeOperatorKey(
  context: Context,
  input: NewOperatorKey & { keyValue: string },
): Promise<OperatorKey> {
  const now = context.clock.now();
  const operatorKey: OperatorKey = {
    id: newId(operatorKeyIdPrefix, now),
    name: input.name,
    role: input.role ?? 'admin',
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
  };
  await insertOperatorKey(context.session, operatorKey, digestOf(input.keyValue));
  return operatorKey;
}

export async function listOperatorKeys(context: Context, page: PageRequest): Promise<Page<OperatorKey>> {
  return toPage(await selectOperatorKeys(context.session, page), page.limit, (key) => key.id);
}

/** The stored keys that are accepted, the oldest first. */
export async function liveOperatorKeys(context: Context): Promise<OperatorKey[]> {
  return selectLiveOperatorKeys(context.session);
}

/** The names of stored keys, revoked ones too. */
export async function operatorKeyNames(
  context: Context,
  ids: readonly OperatorKeyId[],
): Promise<Pick<OperatorKey, 'id' | 'name'>[]> {
  return ids.length === 0 ? [] : selectOperatorKeyNames(context.session, ids);
}

/** Refuses to revoke the last live key that may create others. */
export async function revokeOperatorKey(context: Context, id: string): Promise<OperatorKey> {
  return context.transaction(async ({ session, clock }) => {
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
  context: Context,
  keyValue: string,
): Promise<Pick<OperatorKey, 'id' | 'name' | 'role'> | null> {
  if (!isCheckedSecret(secretPrefix(context.name, 'op'), keyValue)) return null;
  return useOperatorKey(context.session, digestOf(keyValue), context.clock.now());
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
export function createOperatorFinder(context: Context, configuredKey: string | null): OperatorFinder {
  const configuredDigest = configuredKey === null ? null : digestOf(configuredKey);
  return async (keyValue) => {
    if (configuredDigest && digestsEqual(digestOf(keyValue), configuredDigest)) return configuredOperator;
    const key = await findOperatorKey(context, keyValue);
    return key && { type: 'operator', ...key };
  };
}

/** The same for what only the role admin may do: a key with another one is as good as none. */
export function createAdminFinder(context: Context, configuredKey: string | null): OperatorFinder {
  const findOperator = createOperatorFinder(context, configuredKey);
  return async (keyValue) => {
    const operator = await findOperator(keyValue);
    return operator?.role === 'admin' ? operator : null;
  };
}
