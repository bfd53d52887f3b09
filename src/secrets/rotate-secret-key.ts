import { recordAudit } from '../audit/audit-log.ts';
import type { Actor } from '../audit/types.ts';
import type { Scene } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { present } from '../kernel/presence.ts';
import type { SecretBox } from './secret-box.ts';
import { markOf } from './secret-key.ts';
import { type KeysInUse, lockKeysInUse, selectKeysInUse, updateKeysInUse } from './store.ts';

/** How a room that stores sealed secrets takes part in a rotation. */
export interface SecretHolder {
  /** Re-seals some secrets that do not begin with the mark; returns how many, and 0 when none is left. */
  reseal(scene: Scene, anew: Reseal): Promise<number>;
}

export interface Reseal {
  mark: Buffer;
  seal(context: string, sealed: Uint8Array): Buffer;
}

export interface SecretKeyRotation {
  holders: readonly SecretHolder[];
  actor: Actor;
}

export interface RotatedSecretKey extends KeysInUse {
  resealedCount: number;
}

export async function readKeysInUse(scene: Scene): Promise<KeysInUse> {
  return present(await selectKeysInUse(scene.session), 'the row of keys in use');
}

/**
 * Changes to the first key of this node: new secrets are sealed under it, and stored ones are re-sealed.
 * Until that is done, a node needs both keys to start; after a crash, the same call continues.
 */
export async function rotateSecretKey(
  scene: Scene,
  box: SecretBox,
  { holders, actor }: SecretKeyRotation,
): Promise<RotatedSecretKey> {
  const { id } = present(box.keys[0], 'a secret key');
  await scene.transaction((inside) => activate(inside, box, id, actor));
  const anew: Reseal = {
    mark: markOf(id),
    seal: (context, sealed) => box.sealUnder(id, context, box.unseal(context, sealed)),
  };
  let resealedCount = 0;
  for (const holder of holders) resealedCount += await resealAll(scene, holder, anew);
  return { ...(await scene.transaction((inside) => forgetFormer(inside, id))), resealedCount };
}

/** Waits until transactions that are sealing now have committed; later ones use the new key. */
async function activate(scene: Scene, { keys }: SecretBox, id: string, actor: Actor): Promise<void> {
  const { activeId, formerIds } = present(await lockKeysInUse(scene.session), 'the row of keys in use');
  const missing = [activeId, ...formerIds].find((needed) => !keys.some((key) => key.id === needed));
  if (missing !== undefined)
    throw new ApiError('conflict', { detail: `The node that was asked lacks the key ${missing}.` });
  if (activeId === id) return;
  await updateKeysInUse(scene.session, {
    activeId: id,
    formerIds: [...new Set([activeId, ...formerIds])].filter((former) => former !== id),
    activeSince: scene.clock.now(),
  });
  await recordAudit(scene, [
    { actor, action: 'secret_key.rotated', details: { from_id: activeId, to_id: id } },
  ]);
}

async function resealAll(scene: Scene, holder: SecretHolder, anew: Reseal): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await scene.transaction((inside) => holder.reseal(inside, anew));
    if (count === 0) return total;
    total += count;
  }
}

/** Not if the key was changed again meanwhile: then some secrets may still be sealed under this one. */
async function forgetFormer(scene: Scene, id: string): Promise<KeysInUse> {
  const inUse = present(await lockKeysInUse(scene.session), 'the row of keys in use');
  if (inUse.activeId !== id) return inUse;
  const alone = { ...inUse, formerIds: [] };
  await updateKeysInUse(scene.session, alone);
  return alone;
}
