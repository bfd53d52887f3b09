import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Scene } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import { present } from '../../kernel/presence.ts';
import type { SecretHolder } from '../../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { insertSigningKey, lockSealedOtherwise, updateSealed } from './store.ts';
import type { PublicJwk, SigningKey, SigningKeyId } from './types.ts';

export const ALGORITHM = 'ES256';

/** Makes and stores a key. Its private half leaves this function only sealed. */
export async function makeSigningKey(scene: Scene, box: SecretBox, signsFrom: Date): Promise<SigningKey> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const createdAt = scene.clock.now();
  const id: SigningKeyId = newId('sgk', createdAt);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  const sealedPrivateJwk = await box.seal(scene, signingKeyContext(id), privateJwk);
  const key: SigningKey = {
    id,
    publicJwk: publicPart(await exportJWK(pair.publicKey)),
    createdAt,
    signsFrom,
  };
  await insertSigningKey(scene.session, { ...key, sealedPrivateJwk });
  return key;
}

/** RFC 7518 §6.2.1: the public members of a key on a curve, and nothing else. */
function publicPart({ kty, crv, x, y }: JWK): PublicJwk {
  return {
    kty: present(kty, 'kty'),
    crv: present(crv, 'crv'),
    x: present(x, 'x'),
    y: present(y, 'y'),
  };
}

/** The context that the private half of a key is sealed for. */
export function signingKeyContext(id: SigningKeyId): string {
  return `signing key ${id}`;
}

/** There are few of them: all at once. */
export const signingKeyHolder: SecretHolder = {
  async reseal(scene, { mark, seal }) {
    const keys = await lockSealedOtherwise(scene.session, mark);
    for (const { id, sealedPrivateJwk } of keys)
      await updateSealed(scene.session, id, seal(signingKeyContext(id), sealedPrivateJwk));
    return keys.length;
  },
};
