import { createHash } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Context } from '../../environments/environment.ts';
import type { UserId } from '../../identity/types.ts';
import { unixSeconds } from '../../kernel/clock.ts';
import type { OAuthClient } from '../types.ts';
import { ID_TOKEN_SECONDS } from './key-schedule.ts';
import type { SigningKeys } from './signing-keys.ts';

/** The user, the sign-in, the client, and the access token issued with it. */
export interface SignIn {
  client: Pick<OAuthClient, 'id' | 'idTokenAlgorithm'>;
  userId: UserId;
  authenticatedAt: Date;
  nonce: string | null;
  accessTokenValue: string;
  /** Such as the name, where the version of the request puts it into id_tokens. */
  claims: object;
}

export type IdTokenSigner = (context: Context, signIn: SignIn) => Promise<string>;

/** Proves to a client who has signed in (OpenID Connect Core §2, §3.1.3.6). */
export function createIdTokenSigner(keys: SigningKeys): IdTokenSigner {
  return async (context, signIn) => {
    const { id: clientId, idTokenAlgorithm } = signIn.client;
    const { keyId, privateKey } = await keys.signer(context, idTokenAlgorithm);
    const issuedAt = unixSeconds(context.clock.now());
    return new SignJWT({
      ...signIn.claims,
      iss: context.issuer,
      sub: signIn.userId,
      aud: clientId,
      exp: issuedAt + ID_TOKEN_SECONDS,
      iat: issuedAt,
      auth_time: unixSeconds(signIn.authenticatedAt),
      ...(signIn.nonce === null ? {} : { nonce: signIn.nonce }),
      at_hash: accessTokenHash(signIn.accessTokenValue),
    })
      .setProtectedHeader({ alg: idTokenAlgorithm, typ: 'JWT', kid: keyId })
      .sign(privateKey);
  };
}

/** `at_hash`: the left half of the digest, with the hash of the signature (OpenID Connect Core §3.1.3.6). */
function accessTokenHash(tokenValue: string): string {
  const digest = createHash('sha256').update(tokenValue, 'ascii').digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
