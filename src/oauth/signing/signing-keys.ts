import { type CryptoKey, importJWK } from 'jose';
import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { present } from '../../kernel/presence.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SigningAlgorithm } from '../types.ts';
import {
  type KeySchedule,
  later,
  PUBLISHED_AHEAD_SECONDS,
  publishedKeys,
  scheduleKeys,
  signsUntil,
} from './key-schedule.ts';
import { createKeyPairs, type KeyParts, makeSigningKey, signingKeyPurpose } from './make-signing-key.ts';
import { deleteSigningKeys, type StoredSigningKey, selectSigningKeys } from './store.ts';
import type { SigningKey, SigningKeyId } from './types.ts';

export interface Signer {
  keyId: SigningKeyId;
  privateKey: CryptoKey;
  /** Until then it signs, unless keys are stored or removed. */
  until: Date;
}

export interface KeyRotation {
  algorithm: SigningAlgorithm;
  actor: Actor;
  /** Withdraws the old keys at once and signs with a new one at once: for when a key may have leaked. */
  withdraw: boolean;
}

/** The keys of id_tokens: made when first needed, rotated when old, read from the database at every use. */
export interface SigningKeys {
  signer(context: Context, algorithm: SigningAlgorithm): Promise<Signer>;
  schedule(context: Context, algorithm: SigningAlgorithm): Promise<KeySchedule>;
  /** Returns the key that signs next: the one already published, if there is one. */
  rotate(context: Context, rotation: KeyRotation): Promise<SigningKey>;
}

export function createSigningKeys(box: SecretBox): SigningKeys {
  const parts: KeyParts = { box, pairs: createKeyPairs() };
  // Importing a private key costs more than signing with it. Which key signs is read every time.
  const openedOf: Readonly<Record<SigningAlgorithm, Map<SigningKeyId, Promise<CryptoKey>>>> = {
    ES256: new Map(),
    RS256: new Map(),
  };

  async function schedule(
    context: Context,
    algorithm: SigningAlgorithm,
  ): Promise<KeySchedule<StoredSigningKey>> {
    const known = await readSchedule(context, algorithm);
    if (!needsWork(known)) return known;
    if (needsKey(known)) await parts.pairs.prepare(algorithm);
    return context.transaction((inside) => bringUpToDate(inside, parts, algorithm));
  }

  return {
    schedule,

    async signer(context, algorithm) {
      const opened = openedOf[algorithm];
      const { signing, upcoming } = await schedule(context, algorithm);
      const key = present(signing, 'the key that signs');
      const { id, sealedPrivateJwk } = key;
      const current = new Set([id, ...upcoming.map((key) => key.id)]);
      for (const keyId of opened.keys()) if (!current.has(keyId)) opened.delete(keyId);
      const privateKey =
        opened.get(id) ?? open(algorithm, box.unseal(signingKeyPurpose(id), sealedPrivateJwk));
      opened.set(id, privateKey);
      return { keyId: id, privateKey: await privateKey, until: signsUntil(key, upcoming) };
    },

    async rotate(context, rotation) {
      await parts.pairs.prepare(rotation.algorithm);
      return context.transaction((inside) => rotateLocked(inside, parts, rotation));
    },
  };
}

async function readSchedule(
  { session, clock }: Context,
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
  context: Context,
  parts: KeyParts,
  algorithm: SigningAlgorithm,
): Promise<KeySchedule<StoredSigningKey>> {
  await context.session.lock('signing_keys');
  const { signing, isDue, ended } = await readSchedule(context, algorithm);
  await deleteSigningKeys(context.session, ended);
  const cause = { algorithm, actor: { type: 'system', id: null } } as const;
  // The first key signs at once: no cache can hold a key set without it, since none was published before.
  if (signing === null)
    await addKey(context, parts, { ...cause, reason: 'it is the first key', aheadSeconds: 0 });
  if (isDue) await addKey(context, parts, { ...cause, reason: 'the signing key was old' });
  return readSchedule(context, algorithm);
}

async function rotateLocked(
  context: Context,
  parts: KeyParts,
  { algorithm, actor, withdraw }: KeyRotation,
): Promise<SigningKey> {
  const known = await bringUpToDate(context, parts, algorithm);
  if (!withdraw)
    return known.upcoming[0] ?? addKey(context, parts, { algorithm, actor, reason: 'rotated on request' });
  await deleteSigningKeys(context.session, publishedKeys(known));
  return addKey(context, parts, {
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
  context: Context,
  parts: KeyParts,
  { algorithm, actor, reason, aheadSeconds = PUBLISHED_AHEAD_SECONDS }: NewKey,
): Promise<SigningKey> {
  const signsFrom = later(context.clock.now(), aheadSeconds);
  const key = await makeSigningKey(context, parts, { algorithm, signsFrom });
  const details = { signing_key_id: key.id, signs_from: key.signsFrom.toISOString() };
  await recordAudit(context, [{ actor, action: 'signing_key.created', reason, details }]);
  return key;
}

async function open(algorithm: SigningAlgorithm, privateJwk: string): Promise<CryptoKey> {
  const key = await importJWK(JSON.parse(privateJwk), algorithm);
  if (key instanceof Uint8Array) throw new Error('a signing key is a pair of keys');
  return key;
}
