import { createHash } from 'node:crypto';
import { type Context, type Environment, secretPrefix } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { findUser } from '../../../identity/users.ts';
import { isCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf, digestsEqual } from '../../../kernel/digest.ts';
import { batchQueries } from '../../../storage/batch-queries.ts';
import { UndoneError } from '../../../storage/storage-error.ts';
import { newUserGrant } from '../../grants/grants.ts';
import { secondsUntil, type TokenAnswer } from '../../grants/token-answer.ts';
import { stillAllowed } from '../../scopes/parse-scope.ts';
import { userClaims } from '../../scopes/user-claims.ts';
import type { IdTokenSigner } from '../../signing/id-token.ts';
import { endGrantsById } from '../../tokens/end-tokens.ts';
import { newToken } from '../../tokens/issue-token.ts';
import type { OAuthClient } from '../../types.ts';
import { repeatAnswer, repeatableAnswer } from './repeat-answer.ts';
import { type CodeUse, findCodes, lockCode, type StoredCode, useCodes } from './store.ts';

export interface CodeExchange {
  client: OAuthClient;
  codeValue: string;
  redirectUri: string | undefined;
  codeVerifier: string | undefined;
  resource: string | undefined;
  /** The id_token leaves name and email to userinfo. */
  bareIdToken: boolean;
  /** Whoever asks has gone, and hears no answer. */
  hasLeft(): boolean;
}

/**
 * Exchanges a code for tokens, once. A client that did not hear the answer gets the same one again, if it can show the verifier
 * and none of the tokens was used. Any other second use revokes what the first one was issued (RFC 6749 §4.1.2).
 */
export type CodeExchanger = (exchange: CodeExchange) => Promise<TokenAnswer>;

export function createCodeExchanger(
  environment: Environment,
  signIdToken: IdTokenSigner,
  onBatch: { find(size: number): void; use(size: number): void },
): CodeExchanger {
  const { database, session, clock } = environment;
  const find = batchQueries<Buffer, StoredCode | null>(database, {
    kind: 'reads',
    run: (digests) => findCodes(session, digests),
    onBatch: onBatch.find,
  });
  // Exchanges that arrive together are committed together: one write to disk for all of them.
  const use = batchQueries<CodeUse, boolean>(database, {
    kind: 'writes',
    run: (uses) => useCodes(session, uses),
    onBatch: onBatch.use,
  });

  return async (exchange) => {
    const verifier = readVerifier(exchange);
    if (!isCheckedSecret(secretPrefix(environment.name, 'ac'), exchange.codeValue)) throw refused();
    const code = await find(digestOf(exchange.codeValue));
    if (code?.clientId !== exchange.client.id) throw refused();
    if (code.usedAt === null) {
      const matches = isRedirectOf(code, exchange) && isChallengeOf(code.codeChallenge, verifier);
      if (clock.now() >= code.expiresAt || !matches) throw refused();
      if (exchange.resource !== undefined && exchange.resource !== code.audience)
        throw new ApiError('invalid_target');
      const { codeUse, answer } = await newUse({ context: environment, signIdToken }, code, exchange);
      if (await use(codeUse)) return answer;
    }
    const repeated = await environment.transaction((context) => exchangeAgain(context, exchange, verifier));
    // Thrown outside of the transaction, so that the revocation is committed.
    if (repeated === null) throw refused();
    return repeated;
  };
}

/** A code that was used before, maybe at this moment: repeats its answer, or ends what it gave. */
async function exchangeAgain(
  context: Context,
  exchange: CodeExchange,
  verifier: string | null,
): Promise<TokenAnswer | null> {
  const code = await lockCode(context.session, digestOf(exchange.codeValue));
  // Its client tries again, and uses it then.
  if (code && code.usedAt === null) throw new UndoneError();
  if (!code?.grantId) return null;
  const { digest, grantId } = code;
  if (isRepeatOf(code, exchange, verifier)) {
    const answer = await repeatAnswer(context, exchange.codeValue, { digest, grantId });
    if (answer) return { ...answer, scopes: stillAllowed(answer.scopes, exchange.client, context.scopes) };
  }
  // A request that lay in a node that was frozen, and was repeated elsewhere meanwhile. A thief would wait for the answer.
  if (exchange.hasLeft()) return null;
  const actor = { type: 'system', id: null } as const;
  await endGrantsById(context, [grantId], { actor, reason: 'its authorization code was used twice' });
  return null;
}

/** Without a challenge, whoever shows the code again may have stolen it. */
function isRepeatOf(code: StoredCode, exchange: CodeExchange, verifier: string | null): boolean {
  const { codeChallenge, audience } = code;
  if (codeChallenge === null || !isChallengeOf(codeChallenge, verifier)) return false;
  return isRedirectOf(code, exchange) && (exchange.resource ?? audience) === audience;
}

/** Prepares the use of a code: the rows to store, and the answer that is valid once they are stored. */
async function newUse(
  { context, signIdToken }: { context: Context; signIdToken: IdTokenSigner },
  code: StoredCode,
  { client, codeValue, bareIdToken }: CodeExchange,
): Promise<{ codeUse: CodeUse; answer: TokenAnswer }> {
  const { digest, userId, organizationIds, audience, nonce, authenticatedAt } = code;
  const scopes = stillAllowed(code.scopes, client, context.scopes);
  const grant = newUserGrant(context, { client, userId, organizationIds, scopes, audience });
  const access = newToken(context, grant, 'access_token');
  const refresh = client.allowedGrants.includes('refresh_token')
    ? newToken(context, grant, 'refresh_token')
    : null;
  const accessTokenValue = access.tokenValue;
  const signIdTokenFor = async () => {
    const user = bareIdToken ? null : await findUser(context, userId);
    const claims = user ? userClaims(user, scopes) : {};
    return signIdToken(context, { client, userId, authenticatedAt, nonce, accessTokenValue, claims });
  };
  const answer: TokenAnswer = {
    accessTokenValue,
    expiresInSeconds: secondsUntil(access.token.expiresAt, context.clock.now()),
    scopes,
    ...(refresh ? { refreshTokenValue: refresh.tokenValue } : {}),
    ...(scopes.includes('openid') ? { idTokenValue: await signIdTokenFor() } : {}),
  };
  const repeatable = code.codeChallenge === null ? null : repeatableAnswer(context, codeValue, answer);
  return { codeUse: { digest, grant, access, refresh, repeatable }, answer };
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
    detail:
      'The code is unknown, expired or used, or it belongs to another client, redirect_uri or code_verifier.',
  });
}
