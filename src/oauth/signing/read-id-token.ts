import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import type { Context } from '../../environments/environment.ts';
import type { UserId } from '../../identity/types.ts';
import { type OAuthClientId, signingAlgorithms } from '../types.ts';
import { selectSigningKeys } from './store.ts';
import type { SigningKey } from './types.ts';

/**
 * The user of an id_token that was issued here to this client; null for anything else. One that has expired is read as well
 * (OpenID Connect Core §3.1.2.1), as long as the key that signed it is kept.
 */
export async function userOfIdToken(
  context: Context,
  clientId: OAuthClientId,
  idTokenValue: string,
): Promise<UserId | null> {
  const key = await findKey(context, idTokenValue);
  const claims = key && (await verifiedClaims(key, idTokenValue));
  return claims?.iss === context.issuer && claims.aud === clientId ? claims.sub : null;
}

async function findKey({ session }: Context, idTokenValue: string): Promise<SigningKey | null> {
  const { alg, kid, typ } = headerOf(idTokenValue);
  const algorithm = signingAlgorithms.find((known) => known === alg);
  // Identity tokens for upstreams are signed with the same keys, and have another type.
  if (algorithm === undefined || typ !== 'JWT') return null;
  const keys = await selectSigningKeys(session, algorithm);
  return keys.find(({ id }) => id === kid) ?? null;
}

function headerOf(idTokenValue: string): ReturnType<typeof decodeProtectedHeader> {
  try {
    return decodeProtectedHeader(idTokenValue);
  } catch {
    return {};
  }
}

interface IdTokenClaims {
  iss: string;
  aud: string;
  sub: UserId;
}

async function verifiedClaims(
  { publicJwk, algorithm }: SigningKey,
  idTokenValue: string,
): Promise<IdTokenClaims | null> {
  try {
    const publicKey = await importJWK(publicJwk, algorithm);
    const { payload } = await compactVerify(idTokenValue, publicKey, { algorithms: [algorithm] });
    return JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return null;
  }
}
