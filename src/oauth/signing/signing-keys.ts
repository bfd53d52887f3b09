import { type CryptoKey, importJWK } from 'jose';
import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { present } from '../../kernel/presence.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SigningAlgorithm } from '../types.ts';
import { createKeyPairs } from './key-pairs.ts';
import {
  type KeySchedule,
  later,
  PUBLISHED_AHEAD_SECONDS,
  publishedKeys,
  scheduleKeys,
} from './key-schedule.ts';
import { type KeyParts, makeSigningKey, signingKeyContext } from './make-signing-key.ts';
import { deleteSigningKeys, type StoredSigningKey, selectSigningKeys } from './store.ts';
import type { SigningKey, SigningKeyId } from './types.ts';

export interface Signer {
  keyId: SigningKeyId;
  privateKey: CryptoKey;
}

export interface KeyRotation {
  algorithm: SigningAlgorithm;
  actor: Actor;
  /** Withdraws the old keys at once and signs with a new one at once: for when a key may have leaked. */
  withdraw: boolean;
}

/** The keys of id_tokens: made when first needed, rotated when old, read from the database at every use. */
export interface SigningKeys {
  signer(scene: Scene, algorithm: SigningAlgorithm): Promise<Signer>;
  schedule(scene: Scene, algorithm: SigningAlgorithm): Promise<KeySchedule>;
  /** Returns the key that signs next: the one already published, if there is one. */
  rotate(scene: Scene, rotation: KeyRotation): Promise<SigningKey>;
}

export function createSigningKeys(box: SecretBox): SigningKeys {
  const parts: KeyParts = { box, pairs: createKeyPairs() };
  // Importing a private key costs more than signing with it. Which key signs is read every time.
  const openedOf: Readonly<Record<SigningAlgorithm, Map<SigningKeyId, Promise<CryptoKey>>>> = {
    ES256: new Map(),
    RS256: new Map(),
  };

  async function schedule(scene: Scene, algorithm: SigningAlgorithm): Promise<KeySchedule<StoredSigningKey>> {
    const known = await readSchedule(scene, algorithm);
    if (!needsWork(known)) return known;
    if (needsKey(known)) await parts.pairs.prepare(algorithm);
    return scene.transaction((inside) => bringUpToDate(inside, parts, algorithm));
  }

  return {
    schedule,

    async signer(scene, algorithm) {
      const opened = openedOf[algorithm];
      const { signing, upcoming } = await schedule(scene, algorithm);
      const { id, sealedPrivateJwk } = present(signing, 'the key that signs');
      const current = new Set([id, ...upcoming.map((key) => key.id)]);
      for (const keyId of opened.keys()) if (!current.has(keyId)) opened.delete(keyId);
      const privateKey =
        opened.get(id) ?? open(algorithm, box.unseal(signingKeyContext(id), sealedPrivateJwk));
      opened.set(id, privateKey);
      return { keyId: id, privateKey: await privateKey };
    },

    async rotate(scene, rotation) {
      await parts.pairs.prepare(rotation.algorithm);
      return scene.transaction((inside) => rotateLocked(inside, parts, rotation));
    },
  };
}

async function readSchedule(
  { session, clock }: Scene,
  algorithm: SigningAlgorithm,
): Promise<KeySchedule<StoredSigningKey>> {
  return scheduleKeys(await selectSigningKeys(session, algorithm), clock.now());
}

function needsWork(known: KeySchedule): boolean {
  return needsKey(known) || known.ended.length > 0;
}

function needsKey({ signing, isDue }: KeySchedule): boolean {
  return signing === null || isDue;
}

/** Serialised across nodes; the second one finds the work done. */
async function bringUpToDate(
  scene: Scene,
  parts: KeyParts,
  algorithm: SigningAlgorithm,
): Promise<KeySchedule<StoredSigningKey>> {
  await scene.session.lock('signing_keys');
  const { signing, isDue, ended } = await readSchedule(scene, algorithm);
  await deleteSigningKeys(scene.session, ended);
  const cause = { algorithm, actor: { type: 'system', id: null } } as const;
  // The first key signs at once: no cache can hold a key set without it, since none was published before.
  if (signing === null)
    await addKey(scene, parts, { ...cause, reason: 'it is the first key', aheadSeconds: 0 });
  if (isDue) await addKey(scene, parts, { ...cause, reason: 'the signing key was old' });
  return readSchedule(scene, algorithm);
}

async function rotateLocked(
  scene: Scene,
  parts: KeyParts,
  { algorithm, actor, withdraw }: KeyRotation,
): Promise<SigningKey> {
  const known = await bringUpToDate(scene, parts, algorithm);
  if (!withdraw)
    return known.upcoming[0] ?? addKey(scene, parts, { algorithm, actor, reason: 'rotated on request' });
  await deleteSigningKeys(scene.session, publishedKeys(known));
  return addKey(scene, parts, {
    algorithm,
    actor,
    reason: 'rotated on request; the others were withdrawn',
    aheadSeconds: 0,
  });
}

interface NewKey {
  algorithm: SigningAlgorithm;
  actor: Actor;
  reason: string;
  aheadSeconds?: number;
}

async function addKey(
  scene: Scene,
  parts: KeyParts,
  { algorithm, actor, reason, aheadSeconds = PUBLISHED_AHEAD_SECONDS }: NewKey,
): Promise<SigningKey> {
  const signsFrom = later(scene.clock.now(), aheadSeconds);
  const key = await makeSigningKey(scene, parts, { algorithm, signsFrom });
  const details = { signing_key_id: key.id, signs_from: key.signsFrom.toISOString() };
  await recordAudit(scene, [{ actor, action: 'signing_key.created', reason, details }]);
  return key;
}

async function open(algorithm: SigningAlgorithm, privateJwk: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(privateJwk), algorithm);
  if (key instanceof Uint8Array) throw new Error('a signing key is a pair of keys');
  return key;
}
