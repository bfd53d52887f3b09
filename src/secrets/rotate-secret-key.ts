import { recordAudit } from '../audit/audit-log.ts';
import type { Actor } from '../audit/types.ts';
import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { present } from '../kernel/presence.ts';
import type { SecretBox } from './secret-box.ts';
import { markOf } from './secret-key.ts';
import { type KeysInUse, lockKeysInUse, selectKeysInUse, updateKeysInUse } from './store.ts';

/** A room that stores sealed secrets, as a rotation calls it. */
export interface SecretHolder {
  /** Re-seals some secrets that do not begin with the mark; returns how many, and 0 when none is left. */
  reseal(context: Context, anew: Reseal): Promise<number>;
}

export interface Reseal {
  mark: Buffer;
  seal(purpose: string, sealed: Uint8Array): Buffer;
}

export interface SecretKeyRotation {
  holders: readonly SecretHolder[];
  actor: Actor;
}

export interface RotatedSecretKey extends KeysInUse {
  resealedCount: number;
}

export async function readKeysInUse(context: Context): Promise<KeysInUse> {
  return present(await selectKeysInUse(context.session), 'the row of keys in use');
}

/** Then the call ends, before a request takes too long, and the next one continues. */
const RESEALING_MS = 3_000;

/**
 * Changes to the first key of this node: new secrets are sealed under it, and stored ones are re-sealed.
 * Until no former key is left, a node needs those too, and the same call continues: also after a crash.
 */
export async function rotateSecretKey(
  context: Context,
  box: SecretBox,
  { holders, actor }: SecretKeyRotation,
): Promise<RotatedSecretKey> {
  const { id } = present(box.keys[0], 'a secret key');
  await context.transaction((inside) => activate(inside, box, id, actor));
  const anew: Reseal = {
    mark: markOf(id),
    seal: (purpose, sealed) => box.sealUnder(id, purpose, box.unseal(purpose, sealed)),
  };
  const endsAt = context.clock.now().getTime() + RESEALING_MS;
  let resealedCount = 0;
  for await (const count of resealing(context, holders, anew)) {
    resealedCount += count;
    if (context.clock.now().getTime() < endsAt) continue;
    // A transaction: whoever reads that a key is not needed any more throws it away.
    return { ...(await context.transaction(readKeysInUse)), resealedCount };
  }
  return { ...(await context.transaction((inside) => forgetFormer(inside, id))), resealedCount };
}

/** Waits until transactions that are sealing now have committed; later ones use the new key. */
async function activate(context: Context, { keys }: SecretBox, id: string, actor: Actor): Promise<void> {
  const { activeId, formerIds } = present(await lockKeysInUse(context.session), 'the row of keys in use');
  const missing = [activeId, ...formerIds].find((needed) => !keys.some((key) => key.id === needed));
  if (missing !== undefined)
    throw new ApiError('conflict', { detail: `This node lacks the key ${missing}.` });
  if (activeId === id) return;
  await updateKeysInUse(context.session, {
    activeId: id,
    formerIds: [...new Set([activeId, ...formerIds])].filter((former) => former !== id),
    activeSince: context.clock.now(),
  });
  await recordAudit(context, [
    { actor, action: 'secret_key.rotated', details: { from_id: activeId, to_id: id } },
  ]);
}

/** How many each step has re-sealed. */
async function* resealing(
  context: Context,
  holders: readonly SecretHolder[],
  anew: Reseal,
): AsyncGenerator<number> {
  for (const holder of holders)
    for (;;) {
      const count = await context.transaction((inside) => holder.reseal(inside, anew));
      if (count === 0) break;
      yield count;
    }
}

/** Not if the key was changed again meanwhile: then some secrets may still be sealed under this one. */
async function forgetFormer(context: Context, id: string): Promise<KeysInUse> {
  const inUse = present(await lockKeysInUse(context.session), 'the row of keys in use');
  if (inUse.activeId !== id) return inUse;
  const alone = { ...inUse, formerIds: [] };
  await updateKeysInUse(context.session, alone);
  return alone;
}
