import { type Context, type Environment, secretPrefix } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { isCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf } from '../../../kernel/digest.ts';
import { deriveKey, seal, unseal } from '../../../kernel/seal.ts';
import { batchQueries } from '../../../storage/batch-queries.ts';
import { noneAllowed, parseScope } from '../../scopes/parse-scope.ts';
import type { Scope } from '../../scopes/scopes.ts';
import { endAll } from '../../tokens/end-tokens.ts';
import { newToken } from '../../tokens/issue-token.ts';
import { findTokens, findTokensInOrder } from '../../tokens/store.ts';
import type { TokenRecord } from '../../tokens/token-record.ts';
import { isLive, toActiveToken } from '../../tokens/token-state.ts';
import type { GrantId, OAuthClient } from '../../types.ts';
import { secondsUntil, type TokenAnswer } from '../token-answer.ts';
import { originOf, recordRepeat } from './record-repeat.ts';
import { lockGrant, type Rotation, type RotationAnswer, rotateTokens, selectRotation } from './store.ts';

export interface RefreshRequest {
  client: OAuthClient;
  refreshTokenValue: string;
  scope: string | undefined;
  resource: string | undefined;
  /** The caller's. */
  address: string;
}

/** Longer than clients go on trying; a thief who waits for the owner to refresh has no more. */
const REPEATED_SECONDS_MAX = 600;

const UNUSABLE = 'The refresh token is unknown, expired, revoked or used, or of another client.';

/**
 * Exchanges a refresh token for its successor and a new access token. Until the successor is used, and for ten minutes at most, a
 * retry gets the same two: the client may never have heard the answer. After that, or once the successor was used and the grace is
 * over, the token counts as stolen, and the whole grant is revoked (RFC 9700 §4.14.2).
 */
export type TokenRefresher = (request: RefreshRequest) => Promise<TokenAnswer>;

export function createTokenRefresher(
  environment: Environment,
  onBatch: { find(size: number): void; rotate(size: number): void },
): TokenRefresher {
  const { database, session } = environment;
  const find = batchQueries<Buffer, TokenRecord | null>(database, {
    kind: 'reads',
    run: (digests) => findTokensInOrder(session, digests),
    onBatch: onBatch.find,
  });
  // Exchanges that arrive together are committed together: one write to disk for all of them.
  const store = batchQueries<Rotation, boolean>(database, {
    kind: 'writes',
    run: (rotations) => rotateTokens(session, rotations),
    onBatch: onBatch.rotate,
  });

  return async (request) => {
    if (!isCheckedSecret(secretPrefix(environment.name, 'rt'), request.refreshTokenValue))
      throw refused(UNUSABLE);
    const token = await find(digestOf(request.refreshTokenValue));
    if (!isRefreshTokenOf(request.client, token)) throw refused(UNUSABLE);
    if (isLive(token, environment.clock.now())) {
      const { rotation, answer } = newRotation(environment, token, request);
      if (await store(rotation)) return answer;
    }
    return refreshAgain(environment, request, token.grantId);
  };
}

function isRefreshTokenOf(client: OAuthClient, token: TokenRecord | null): token is TokenRecord {
  return token?.kind === 'refresh_token' && token.clientId === client.id;
}

type Outcome = { kind: 'answered'; answer: TokenAnswer } | { kind: 'reused' } | { kind: 'refused' };

/** Handles a token that the fast path could not exchange: used before, maybe at this moment, or no longer live. */
async function refreshAgain(
  context: Context,
  request: RefreshRequest,
  grantId: GrantId,
): Promise<TokenAnswer> {
  const outcome = await context.transaction((inside) => refreshLocked(inside, request, grantId));
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

async function refreshLocked(context: Context, request: RefreshRequest, grantId: GrantId): Promise<Outcome> {
  const digest = digestOf(request.refreshTokenValue);
  // Changes to a grant are serialised. What was read before the lock may be stale.
  await lockGrant(context.session, grantId);
  const [token] = await findTokens(context.session, [digest]);
  const now = context.clock.now();
  if (!token || !isLive({ ...token, usedAt: null }, now)) return { kind: 'refused' };
  if (token.usedAt === null) {
    const { rotation, answer } = newRotation(context, token, request);
    const [done] = await rotateTokens(context.session, [rotation]);
    return done ? { kind: 'answered', answer } : { kind: 'refused' };
  }
  const rotation = await selectRotation(context.session, digest, now);
  const late = secondsUntil(now, token.usedAt);
  if (rotation && (rotation.sealedAnswer === null || late < REPEATED_SECONDS_MAX))
    return repeat(context, { token, rotation, late }, request);
  await endAll(context, [
    { token, actor: { type: 'system', id: null }, reason: 'its refresh token was used twice' },
  ]);
  return { kind: 'reused' };
}

function newRotation(
  context: Context,
  token: TokenRecord,
  { refreshTokenValue, scope, resource, address }: RefreshRequest,
): { rotation: Rotation; answer: TokenAnswer } {
  const scopes = parseScope(scope, { known: context.scopes, allowed: allowedTo(context, token) });
  if (resource !== undefined && resource !== token.audience) throw new ApiError('invalid_target');
  const at = context.clock.now();
  const terms = { id: token.grantId, expiresAt: token.grantExpiresAt };
  const access = newToken(context, { ...terms, scopes }, 'access_token');
  const successor = newToken(context, { ...terms, scopes: token.scopes }, 'refresh_token');
  const answer: TokenAnswer = {
    accessTokenValue: access.tokenValue,
    expiresInSeconds: secondsUntil(access.token.expiresAt, at),
    scopes,
    refreshTokenValue: successor.tokenValue,
  };
  const graceEnd = new Date(at.getTime() + context.lifetimes.rotationGraceSeconds * 1000);
  const sealedAnswer = seal(answerKey(refreshTokenValue), JSON.stringify(answer));
  const originDigest = originOf(refreshTokenValue, address);
  const rotation: Rotation = {
    token,
    access,
    successor,
    at,
    graceEnd,
    scope: scope ?? '',
    sealedAnswer,
    originDigest,
  };
  return { rotation, answer };
}

/** The granted scopes that the client may still have. */
function allowedTo(context: Context, token: TokenRecord): readonly Scope[] {
  const { scopes, hasLostAllScopes } = toActiveToken(token, context.scopes);
  if (hasLostAllScopes) throw noneAllowed();
  return scopes;
}

/** The same tokens again; none once the successor has been used, since that proves they were received. */
async function repeat(
  context: Context,
  { token, rotation, late }: { token: TokenRecord; rotation: RotationAnswer; late: number },
  { refreshTokenValue, scope, address }: RefreshRequest,
): Promise<Outcome> {
  if (rotation.sealedAnswer === null || rotation.scope !== (scope ?? '')) return { kind: 'refused' };
  await recordRepeat(context, token, { rotation, origin: originOf(refreshTokenValue, address) });
  const answer: TokenAnswer = JSON.parse(unseal(answerKey(refreshTokenValue), rotation.sealedAnswer));
  // A retry at once is answered byte by byte like the first try; a late one must not promise too much.
  const lateSeconds = late < context.lifetimes.rotationGraceSeconds ? 0 : late;
  const expiresInSeconds = Math.max(0, answer.expiresInSeconds - lateSeconds);
  const allowed = allowedTo(context, token);
  const scopes = answer.scopes.filter((granted) => allowed.includes(granted));
  return { kind: 'answered', answer: { ...answer, expiresInSeconds, scopes } };
}

/** Only the holder of the refresh token can decrypt the answer it got. */
function answerKey(refreshTokenValue: string): Buffer {
  return deriveKey(refreshTokenValue, 'dateline refresh answer');
}

function refused(detail: string): ApiError {
  return new ApiError('invalid_grant', { detail });
}
