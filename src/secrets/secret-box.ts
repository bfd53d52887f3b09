import type { EnvironmentName, Scene } from '../environments/environment.ts';
import { deriveKey, seal, unseal } from '../kernel/seal.ts';
import { markOf, type SecretKey, splitSealed } from './secret-key.ts';
import { holdKeysInUse } from './store.ts';

/**
 * Keeps secrets that must be readable again, such as private keys. Each is sealed for one context (`signing key sgk_…`): a
 * sealed secret that was moved to another row, or to another environment, cannot be opened.
 */
export interface SecretBox {
  /** The keys of this node; the first is the one that a rotation changes to. */
  readonly keys: readonly SecretKey[];
  /** Under the database's active key. The scene must be of the transaction that stores the result. */
  seal(scene: Scene, context: string, text: string): Promise<Buffer>;
  /** Throws if this node lacks the key, or if anything was changed. */
  unseal(context: string, sealed: Uint8Array): string;
  sealUnder(keyId: string, context: string, text: string): Buffer;
}

export function createSecretBox(environment: EnvironmentName, keys: readonly SecretKey[]): SecretBox {
  const keyFor = (keyId: string, context: string): Buffer => {
    const key = keys.find(({ id }) => id === keyId);
    if (!key) throw new Error(`this node lacks the secret key with the id ${keyId}: set DATELINE_SECRET_KEY`);
    return deriveKey(key.bytes, `dateline ${environment} ${context}`);
  };
  const sealUnder = (keyId: string, context: string, text: string): Buffer =>
    Buffer.concat([markOf(keyId), seal(keyFor(keyId, context), text)]);
  return {
    keys,
    sealUnder,
    async seal(scene, context, text) {
      const inUse = await holdKeysInUse(scene.session);
      if (!inUse) throw new Error('no secret key was chosen for this database');
      return sealUnder(inUse.activeId, context, text);
    },
    unseal(context, sealed) {
      const { keyId, contents } = splitSealed(sealed);
      return unseal(keyFor(keyId, context), contents);
    },
  };
}
