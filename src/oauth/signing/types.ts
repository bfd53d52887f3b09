import type { Id } from '../../kernel/ids.ts';

export type SigningKeyId = Id<'signing-key'>;

/** A public key as a JWK (RFC 7517, RFC 7518 §6.2.1), without any private member. */
export interface PublicJwk {
  kty: string;
  crv: string;
  x: string;
  y: string;
}

export interface SigningKey {
  id: SigningKeyId;
  publicJwk: PublicJwk;
  createdAt: Date;
  signsFrom: Date;
}
