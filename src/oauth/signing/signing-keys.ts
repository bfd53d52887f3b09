import { type CryptoKey, importJWK } from 'jose';
import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { present } from '../../kernel/presence.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { type KeySchedule, later, PUBLISHED_AHEAD_SECONDS, scheduleKeys } from './key-schedule.ts';
import { ALGORITHM, makeSigningKey, signingKeyContext } from './make-signing-key.ts';
import { deleteSigningKeys, type StoredSigningKey, selectSigningKeys } from './store.ts';
import type { SigningKey, SigningKeyId } from './types.ts';

export interface Signer {
  keyId: SigningKeyId;
  privateKey: CryptoKey;
}

export interface KeyRotation {
  actor: Actor;
  /** Withdraws the old keys at once and signs with a new one at once: for when a key may have leaked. */
  withdraw: boolean;
}

/** The keys of id_tokens: made when first needed, rotated when old, read from the database at every use. */
export interface SigningKeys {
  signer(scene: Scene): Promise<Signer>;
  schedule(scene: Scene): Promise<KeySchedule>;
  /** Returns the key that signs next: the one already published, if there is one. */
  rotate(scene: Scene, rotation: KeyRotation): Promise<SigningKey>;
}

export function createSigningKeys(box: SecretBox): SigningKeys {
  // Importing a private key costs more than signing with it. Which key signs is read every time.
  const opened = new Map<SigningKeyId, Promise<CryptoKey>>();

  async function schedule(scene: Scene): Promise<KeySchedule<StoredSigningKey>> {
    const known = await readSchedule(scene);
    return needsWork(known) ? scene.transaction((inside) => bringUpToDate(inside, box)) : known;
  }

  return {
    schedule,

    async signer(scene) {
      const { signing, upcoming } = await schedule(scene);
      const { id, sealedPrivateJwk } = present(signing, 'the key that signs');
      const current = new Set([id, ...upcoming.map((key) => key.id)]);
      for (const keyId of opened.keys()) if (!current.has(keyId)) opened.delete(keyId);
      const privateKey = opened.get(id) ?? open(box.unseal(signingKeyContext(id), sealedPrivateJwk));
      opened.set(id, privateKey);
      return { keyId: id, privateKey: await privateKey };
    },

    rotate: (scene, rotation) => scene.transaction((inside) => rotateLocked(inside, box, rotation)),
  };
}

async function readSchedule({ session, clock }: Scene): Promise<KeySchedule<StoredSigningKey>> {
  return scheduleKeys(await selectSigningKeys(session), clock.now());
}

function needsWork({ signing, isDue, ended }: KeySchedule): boolean {
  return signing === null || isDue || ended.length > 0;
}

/** Serialised across nodes; the second one finds the work done. */
async function bringUpToDate(scene: Scene, box: SecretBox): Promise<KeySchedule<StoredSigningKey>> {
  await scene.session.lock('signing_keys');
  const { signing, isDue, ended } = await readSchedule(scene);
  await deleteSigningKeys(
    scene.session,
    ended.map(({ id }) => id),
  );
  const cause = { actor: { type: 'system', id: null } } as const;
  // The first key signs at once: no cache can hold a key set without it, since none was published before.
  if (signing === null)
    await addKey(scene, box, { ...cause, reason: 'it is the first key', aheadSeconds: 0 });
  if (isDue) await addKey(scene, box, { ...cause, reason: 'the signing key was old' });
  return readSchedule(scene);
}

async function rotateLocked(
  scene: Scene,
  box: SecretBox,
  { actor, withdraw }: KeyRotation,
): Promise<SigningKey> {
  const { signing, upcoming, former } = await bringUpToDate(scene, box);
  if (!withdraw) return upcoming[0] ?? addKey(scene, box, { actor, reason: 'rotated on request' });
  const known = [...former, ...(signing ? [signing] : []), ...upcoming];
  await deleteSigningKeys(
    scene.session,
    known.map(({ id }) => id),
  );
  return addKey(scene, box, {
    actor,
    reason: 'rotated on request; the others were withdrawn',
    aheadSeconds: 0,
  });
}

interface NewKey {
  actor: Actor;
  reason: string;
  aheadSeconds?: number;
}

async function addKey(
  scene: Scene,
  box: SecretBox,
  { actor, reason, aheadSeconds = PUBLISHED_AHEAD_SECONDS }: NewKey,
): Promise<SigningKey> {
  const key = await makeSigningKey(scene, box, later(scene.clock.now(), aheadSeconds));
  const details = { signing_key_id: key.id, signs_from: key.signsFrom.toISOString() };
  await recordAudit(scene, [{ actor, action: 'signing_key.created', reason, details }]);
  return key;
}

async function open(privateJwk: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(privateJwk), ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('a signing key is a pair of keys');
  return key;
}
