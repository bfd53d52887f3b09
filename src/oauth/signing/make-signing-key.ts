import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK } from 'jose';
import type { Context } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import { present } from '../../kernel/presence.ts';
import type { SecretHolder } from '../../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../types.ts';
import { insertSigningKey, lockSealedOtherwise, updateSealed } from './store.ts';
import type { PublicJwk, SigningKey, SigningKeyId } from './types.ts';

/** The public members of a key of each algorithm, and nothing else (RFC 7518 §6.2.1, §6.3.1). */
const publicMembers: Readonly<Record<SigningAlgorithm, readonly (keyof JWK & string)[]>> = {
  ES256: ['kty', 'crv', 'x', 'y'],
  RS256: ['kty', 'n', 'e'],
};

export interface KeyParts {
  box: SecretBox;
  pairs: KeyPairs;
}

/** Makes and stores a key. Its private half leaves this function only sealed. An RSA key has 2,048 bits. */
export async function makeSigningKey(
  context: Context,
  { box, pairs }: KeyParts,
  { algorithm, signsFrom }: Pick<SigningKey, 'algorithm' | 'signsFrom'>,
): Promise<SigningKey> {
  const pair = await pairs.take(algorithm);
  const createdAt = context.clock.now();
  const id: SigningKeyId = newId('sgk', createdAt);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  const sealedPrivateJwk = await box.seal(context, signingKeyPurpose(id), privateJwk);
  const publicJwk = publicPart(algorithm, await exportJWK(pair.publicKey));
  const key: SigningKey = { id, algorithm, publicJwk, createdAt, signsFrom };
  await insertSigningKey(context.session, { ...key, sealedPrivateJwk });
  return key;
}

/** The members of a key that anybody may know, in their usual order. */
export function publicPart(algorithm: SigningAlgorithm, jwk: JWK): PublicJwk {
  return Object.fromEntries(
    publicMembers[algorithm].map((member) => [member, String(present(jwk[member], member))]),
  );
}

/** The purpose that the private half of a key is sealed for. */
export function signingKeyPurpose(id: SigningKeyId): string {
  return `signing key ${id}`;
}

/** There are few of them: all at once. */
export const signingKeyHolder: SecretHolder = {
  async reseal(context, { mark, seal }) {
    let resealed = 0;
    for (const algorithm of signingAlgorithms)
      for (const key of await lockSealedOtherwise(context.session, algorithm, mark)) {
        await updateSealed(context.session, key, seal(signingKeyPurpose(key.id), key.sealedPrivateJwk));
        resealed += 1;
      }
    return resealed;
  },
};

/** Key pairs that no key has been made of yet. */
export interface KeyPairs {
  /** Makes one, unless there is one: an RSA pair takes long, and whoever makes keys holds a lock that others wait for. */
  prepare(algorithm: SigningAlgorithm): Promise<void>;
  /** Each pair is handed out once. */
  take(algorithm: SigningAlgorithm): Promise<GenerateKeyPairResult>;
}

export function createKeyPairs(): KeyPairs {
  const ready = new Map<SigningAlgorithm, Promise<GenerateKeyPairResult>>();
  const make = (algorithm: SigningAlgorithm) => generateKeyPair(algorithm, { extractable: true });
  return {
    async prepare(algorithm) {
      const pair = ready.get(algorithm) ?? make(algorithm);
      ready.set(algorithm, pair);
      await pair;
    },
    take(algorithm) {
      const pair = ready.get(algorithm) ?? make(algorithm);
      ready.delete(algorithm);
      return pair;
    },
  };
}
