import type { Context, EnvironmentName } from '../environments/environment.ts';
import { deriveKey, seal, unseal } from '../kernel/seal.ts';
import { markOf, type SecretKey, splitSealed } from './secret-key.ts';
import { holdKeysInUse } from './store.ts';

/**
 * Encrypts secrets reversibly (AES-256-GCM), such as private keys. Each is sealed for one purpose (`signing key sgk_…`): a
 * sealed secret that was moved to another row, or to another environment, cannot be opened.
 */
export interface SecretBox {
  /** The keys of this node; the first is the one that a rotation changes to. */
  readonly keys: readonly SecretKey[];
  /** Under the database's active key. The context must be of the transaction that stores the result. */
  seal(context: Context, purpose: string, text: string): Promise<Buffer>;
  /** Throws if this node lacks the key, or if anything was changed. */
  unseal(purpose: string, sealed: Uint8Array): string;
  sealUnder(keyId: string, purpose: string, text: string): Buffer;
}

export function createSecretBox(environment: EnvironmentName, keys: readonly SecretKey[]): SecretBox {
  const keyFor = (keyId: string, purpose: string): Buffer => {
    const key = keys.find(({ id }) => id === keyId);
    if (!key) throw new Error(`this node lacks the secret key with the id ${keyId}: set DATELINE_SECRET_KEY`);
    return deriveKey(key.bytes, `dateline ${environment} ${purpose}`);
  };
  const sealUnder = (keyId: string, purpose: string, text: string): Buffer =>
    Buffer.concat([markOf(keyId), seal(keyFor(keyId, purpose), text)]);
  return {
    keys,
    sealUnder,
    async seal(context, purpose, text) {
      const inUse = await holdKeysInUse(context.session);
      if (!inUse) throw new Error('no secret key was chosen for this database');
      return sealUnder(inUse.activeId, purpose, text);
    },
    unseal(purpose, sealed) {
      const { keyId, contents } = splitSealed(sealed);
      return unseal(keyFor(keyId, purpose), contents);
    },
  };
}
