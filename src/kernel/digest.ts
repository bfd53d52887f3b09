import { hash, timingSafeEqual } from 'node:crypto';

/** The stored form of a machine-made secret: it has too many random bits to be guessed from its SHA-256. */
export function digestOf(secretValue: string): Buffer {
  return hash('sha256', secretValue, 'buffer');
}

export function sha256Hex(content: string | Buffer): string {
  return hash('sha256', content, 'hex');
}

/** Compares two digests in a time that does not depend on where they differ. */
export function digestsEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

/** To find it again: two digests that are equal are not the same object. */
export function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('hex');
}
