import { type Scene, secretPrefix } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { isCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf } from '../../../kernel/digest.ts';
import { deriveKey, seal, unseal } from '../../../kernel/seal.ts';
import { parseScope, stillAllowed } from '../../scopes/parse-scope.ts';
import { endAll } from '../../tokens/end-tokens.ts';
import { issueAccessToken, issueRefreshToken } from '../../tokens/issue-token.ts';
import { findTokens, type TokenRecord } from '../../tokens/store.ts';
import { isLive } from '../../tokens/token-state.ts';
import type { OAuthClient } from '../../types.ts';
import { secondsUntil, type TokenAnswer } from '../token-answer.ts';
import {
  closeRotationTo,
  insertRotation,
  lockGrant,
  markTokenUsed,
  type Rotation,
  selectRotation,
} from './store.ts';

export interface RefreshRequest {
  client: OAuthClient;
  refreshTokenValue: string;
  scope: string | undefined;
  resource: string | undefined;
}

const UNUSABLE = 'The refresh token is unknown, expired, revoked or used, or of another client.';

type Outcome = { kind: 'answered'; answer: TokenAnswer } | { kind: 'reused' } | { kind: 'refused' };

/**
 * Exchanges a refresh token for its successor and a new access token. Until the successor is used, a retry gets the same two,
 * however late: the client may never have heard the answer. Once the successor was used and the grace is over, the token counts
 * as stolen, and the whole grant is revoked (RFC 9700 §4.14.2).
 */
export async function refreshToken(scene: Scene, request: RefreshRequest): Promise<TokenAnswer> {
  if (!isCheckedSecret(secretPrefix(scene.name, 'rt'), request.refreshTokenValue)) throw refused(UNUSABLE);
  const outcome = await scene.transaction((inside) => refreshLocked(inside, request));
  switch (outcome.kind) {
    case 'answered':
      return outcome.answer;
    // Thrown outside of the transaction, so that the revocation is committed.
    case 'reused':
      throw refused('The refresh token was used before; every token of its grant has been revoked.');
    case 'refused':
      throw refused(UNUSABLE);
    default:
      return outcome satisfies never;
  }
}

async function refreshLocked(scene: Scene, request: RefreshRequest): Promise<Outcome> {
  const digest = digestOf(request.refreshTokenValue);
  const [found] = await findTokens(scene.session, [digest]);
  if (found?.kind !== 'refresh_token' || found.clientId !== request.client.id) return { kind: 'refused' };
  // Changes to a grant are serialised. What was read before the lock may be stale.
  await lockGrant(scene.session, found.grantId);
  const [token] = await findTokens(scene.session, [digest]);
  const now = scene.clock.now();
  if (!token || !isLive({ ...token, usedAt: null }, now)) return { kind: 'refused' };
  if (token.usedAt === null) return { kind: 'answered', answer: await rotate(scene, token, request) };
  const rotation = await selectRotation(scene.session, digest, now);
  if (rotation) {
    const late = secondsUntil(now, token.usedAt);
    // A retry at once is answered byte by byte like the first try; a late one must not promise too much.
    return repeat(rotation, request, late < scene.lifetimes.rotationGraceSeconds ? 0 : late);
  }
  await endAll(scene, [
    { token, actor: { type: 'system', id: null }, reason: 'its refresh token was used twice' },
  ]);
  return { kind: 'reused' };
}

async function rotate(scene: Scene, token: TokenRecord, request: RefreshRequest): Promise<TokenAnswer> {
  const known = scene.scopes;
  const allowed = stillAllowed(token.scopes, request.client, known);
  const scopes = parseScope(request.scope, { known, allowed });
  if (request.resource !== undefined && request.resource !== token.audience)
    throw new ApiError('invalid_target');
  const terms = { id: token.grantId, expiresAt: token.grantExpiresAt };
  const access = await issueAccessToken(scene, { ...terms, scopes });
  // The successor keeps all scopes, whatever this access token was narrowed to (RFC 6749 §6).
  const successor = await issueRefreshToken(scene, { ...terms, scopes: token.scopes });
  const now = scene.clock.now();
  const answer: TokenAnswer = {
    accessTokenValue: access.tokenValue,
    expiresInSeconds: secondsUntil(access.token.expiresAt, now),
    scopes,
    refreshTokenValue: successor.tokenValue,
  };
  await markTokenUsed(scene.session, token.digest, now);
  const graceEnd = new Date(now.getTime() + scene.lifetimes.rotationGraceSeconds * 1000);
  await closeRotationTo(scene.session, token.digest, graceEnd);
  await insertRotation(scene.session, {
    tokenDigest: token.digest,
    grantId: token.grantId,
    successorDigest: digestOf(successor.tokenValue),
    scope: request.scope ?? '',
    sealedAnswer: seal(answerKey(request.refreshTokenValue), JSON.stringify(answer)),
    expiresAt: token.expiresAt,
  });
  return answer;
}

/** The same tokens again; none once the successor has been used, since that proves they were received. */
function repeat(
  { scope, sealedAnswer }: Pick<Rotation, 'scope' | 'sealedAnswer'>,
  request: RefreshRequest,
  lateSeconds: number,
): Outcome {
  if (sealedAnswer === null || scope !== (request.scope ?? '')) return { kind: 'refused' };
  const answer: TokenAnswer = JSON.parse(unseal(answerKey(request.refreshTokenValue), sealedAnswer));
  const expiresInSeconds = Math.max(0, answer.expiresInSeconds - lateSeconds);
  return { kind: 'answered', answer: { ...answer, expiresInSeconds } };
}

/** Only the holder of the refresh token can decrypt the answer it got. */
function answerKey(refreshTokenValue: string): Buffer {
  return deriveKey(refreshTokenValue, 'dateline refresh answer');
}

function refused(detail: string): ApiError {
  return new ApiError('invalid_grant', { detail });
}
