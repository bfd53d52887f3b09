import { exportJWK, generateKeyPair } from 'jose';
import type { Scene } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import type { SecretHolder } from '../../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { insertSigningKey, lockSealedOtherwise, updateSealed } from './store.ts';
import type { PublicJwk, SigningKey, SigningKeyId } from './types.ts';

export const ALGORITHM = 'ES256';

/** Makes and stores a key. Its private half leaves this function sealed only. */
export async function makeSigningKey(scene: Scene, box: SecretBox, signsFrom: Date): Promise<SigningKey> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const createdAt = scene.clock.now();
  const id: SigningKeyId = newId('sgk', createdAt);
  const { kty, crv, x, y } = (await exportJWK(pair.publicKey)) as unknown as PublicJwk;
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  const sealedPrivateJwk = await box.seal(scene, placeOfSigningKey(id), privateJwk);
  const key: SigningKey = { id, publicJwk: { kty, crv, x, y }, createdAt, signsFrom };
  await insertSigningKey(scene.session, { ...key, sealedPrivateJwk });
  return key;
}

/** Where the private half of a key is kept: it can be read nowhere else. */
export function placeOfSigningKey(id: SigningKeyId): string {
  return `signing key ${id}`;
}

/** There are a handful of them: all at once. */
export const signingKeyHolder: SecretHolder = {
  async reseal(scene, { mark, seal }) {
    const keys = await lockSealedOtherwise(scene.session, mark);
    for (const { id, sealedPrivateJwk } of keys)
      await updateSealed(scene.session, id, seal(placeOfSigningKey(id), sealedPrivateJwk));
    return keys.length;
  },
};
