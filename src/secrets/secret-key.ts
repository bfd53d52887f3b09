import { deriveKey } from '../kernel/seal.ts';

/** A key that secrets are sealed under. Its id is public: the key cannot be derived from it. */
export interface SecretKey {
  readonly id: string;
  readonly bytes: Buffer;
}

const ID_BYTES = 8;

export function secretKey(bytes: Buffer): SecretKey {
  return { bytes, id: deriveKey(bytes, 'dateline secret key id').subarray(0, ID_BYTES).toString('hex') };
}

/** The first bytes of everything sealed under a key. */
export function markOf(keyId: string): Buffer {
  return Buffer.from(keyId, 'hex');
}

/** The sealed bytes, without the id of their key. */
export function splitSealed(sealed: Uint8Array): { keyId: string; contents: Buffer } {
  const bytes = Buffer.from(sealed);
  return { keyId: bytes.subarray(0, ID_BYTES).toString('hex'), contents: bytes.subarray(ID_BYTES) };
}
