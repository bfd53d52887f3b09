import { createHash } from 'node:crypto';
import { type Scene, secretPrefix } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { findUser } from '../../../identity/users.ts';
import { isCheckedSecret, newCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf, digestsEqual } from '../../../kernel/digest.ts';
import { grantToUser } from '../../grants/grants.ts';
import { secondsUntil, type TokenAnswer } from '../../grants/token-answer.ts';
import { stillAllowed } from '../../scopes/parse-scope.ts';
import { userClaims } from '../../scopes/user-claims.ts';
import type { IdTokenSigner } from '../../signing/id-token.ts';
import { endGrantsById } from '../../tokens/end-tokens.ts';
import { issueAccessToken, issueRefreshToken, wholeSeconds } from '../../tokens/issue-token.ts';
import type { OAuthClient } from '../../types.ts';
import { insertCode, lockCode, markCodeUsed, type StoredCode } from './store.ts';

export interface NewCode
  extends Omit<StoredCode, 'digest' | 'redirectUriOmitted' | 'expiresAt' | 'grantId' | 'usedAt'> {
  redirectUriOmitted?: boolean;
}

/** Issues a code for what a user has allowed. */
export async function issueCode(scene: Scene, code: NewCode): Promise<string> {
  const codeValue = newCheckedSecret(secretPrefix(scene.name, 'ac'));
  const expiresAt = wholeSeconds(scene.clock.now(), scene.lifetimes.codeSeconds);
  const { redirectUriOmitted = false } = code;
  await insertCode(scene.session, { ...code, redirectUriOmitted, digest: digestOf(codeValue), expiresAt });
  return codeValue;
}

export interface CodeExchange {
  client: OAuthClient;
  codeValue: string;
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
  resource: string | undefined;
  signIdToken: IdTokenSigner;
  /** The id_token leaves name and email to userinfo. */
  bareIdToken: boolean;
}

type Outcome = { kind: 'answered'; answer: TokenAnswer } | { kind: 'reused' } | { kind: 'refused' };

/** Exchanges a code for tokens, once. A second use revokes what the first one was issued (RFC 6749 §4.1.2). */
export async function exchangeCode(scene: Scene, exchange: CodeExchange): Promise<TokenAnswer> {
  const verifier = readVerifier(exchange);
  if (!isCheckedSecret(secretPrefix(scene.name, 'ac'), exchange.codeValue)) throw refused();
  const outcome = await scene.transaction((inside) => exchangeLocked(inside, exchange, verifier));
  if (outcome.kind !== 'answered') throw refused();
  return outcome.answer;
}

async function exchangeLocked(
  scene: Scene,
  exchange: CodeExchange,
  verifier: string | null,
): Promise<Outcome> {
  const code = await lockCode(scene.session, digestOf(exchange.codeValue));
  const now = scene.clock.now();
  if (!code || code.clientId !== exchange.client.id) return { kind: 'refused' };
  if (code.usedAt !== null) {
    const cause = {
      actor: { type: 'system', id: null },
      reason: 'its authorization code was used twice',
    } as const;
    await endGrantsById(scene, code.grantId === null ? [] : [code.grantId], cause);
    return { kind: 'reused' };
  }
  const matches = isRedirectOf(code, exchange) && isChallengeOf(code.codeChallenge, verifier);
  if (now >= code.expiresAt || !matches) return { kind: 'refused' };
  if (exchange.resource !== undefined && exchange.resource !== code.audience)
    throw new ApiError('invalid_target');
  return { kind: 'answered', answer: await issueFor(scene, code, exchange) };
}

async function issueFor(
  scene: Scene,
  code: StoredCode,
  { client, signIdToken, bareIdToken }: CodeExchange,
): Promise<TokenAnswer> {
  const { userId, organizationIds, audience, nonce, authenticatedAt } = code;
  const scopes = stillAllowed(code.scopes, client, scene.scopes);
  const grant = await grantToUser(scene, { client, userId, organizationIds, scopes, audience });
  const access = await issueAccessToken(scene, grant);
  const refresh = client.allowedGrants.includes('refresh_token')
    ? await issueRefreshToken(scene, grant)
    : null;
  await markCodeUsed(scene.session, code.digest, { usedAt: scene.clock.now(), grantId: grant.id });
  const accessTokenValue = access.tokenValue;
  const signIdTokenFor = async () => {
    const user = bareIdToken ? null : await findUser(scene, userId);
    const claims = user ? userClaims(user, scopes) : {};
    return signIdToken(scene, { client, userId, authenticatedAt, nonce, accessTokenValue, claims });
  };
  return {
    accessTokenValue,
    expiresInSeconds: secondsUntil(access.token.expiresAt, scene.clock.now()),
    scopes,
    ...(refresh ? { refreshTokenValue: refresh.tokenValue } : {}),
    ...(scopes.includes('openid') ? { idTokenValue: await signIdTokenFor() } : {}),
  };
}

/** RFC 6749 §4.1.3 */
function isRedirectOf(code: StoredCode, { redirectUri }: CodeExchange): boolean {
  return redirectUri === undefined ? code.redirectUriOmitted : redirectUri === code.redirectUri;
}

/** RFC 7636 §4.1. Null from a client that may do without it. */
function readVerifier({ codeVerifier: verifier, client }: CodeExchange): string | null {
  if (verifier === undefined) {
    if (!client.requiresPkce) return null;
    throw new ApiError('invalid_request', { detail: 'code_verifier is missing.' });
  }
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier))
    throw new ApiError('invalid_request', {
      detail: 'code_verifier must be 43 to 128 letters, digits, or - . _ ~',
    });
  return verifier;
}

/** RFC 7636 §4.6, S256 alone. One without the other is refused: somebody may have left it out on the way (RFC 9700 §4.8.2). */
function isChallengeOf(challenge: string | null, verifier: string | null): boolean {
  if (challenge === null || verifier === null) return challenge === verifier;
  const made = createHash('sha256').update(verifier, 'ascii').digest('base64url');
  return digestsEqual(Buffer.from(made), Buffer.from(challenge));
}

function refused(): ApiError {
  return new ApiError('invalid_grant', {
    detail: 'The code is unknown, expired or used, or client, redirect_uri or code_verifier are not its own.',
  });
}
