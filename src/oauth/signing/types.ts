import type { Id } from '../../kernel/ids.ts';
import type { SigningAlgorithm } from '../types.ts';

export type SigningKeyId = Id<'signing-key'>;

/** A public key as a JWK (RFC 7517, RFC 7518 §6), without any private member. */
export type PublicJwk = Readonly<Record<string, string>>;

export interface SigningKey {
  id: SigningKeyId;
  algorithm: SigningAlgorithm;
  publicJwk: PublicJwk;
  createdAt: Date;
  signsFrom: Date;
}
