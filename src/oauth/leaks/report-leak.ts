import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import { type Context, type SecretKind, secretPrefix } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { findOperatorKey, revokeOperatorKey } from '../../identity/operator-keys.ts';
import { isCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';
import { lockCode } from '../authorize/codes/store.ts';
import { deleteRegistration, lockRegistration } from '../clients/registration/store.ts';
import { endAll, endGrantsById } from '../tokens/end-tokens.ts';
import { canBeEnded } from '../tokens/revoke-token.ts';
import { findTokens } from '../tokens/store.ts';
import { burnCode, lockSecret, revokeSecret } from './store.ts';

export interface LeakReport {
  /** The reporter; the system for an anonymous report. */
  actor: Actor;
  /** Where it was found, for example. Never a secret. */
  details: Readonly<Record<string, unknown>>;
}

export interface LeakOutcome extends Ended {
  /** Null for an unknown secret, whatever it looks like. */
  kind: LeakedKind | null;
}

export const leakedKinds = [
  'access_token',
  'refresh_token',
  'authorization_code',
  'client_secret',
  'registration_access_token',
  'operator_key',
] as const;
export type LeakedKind = (typeof leakedKinds)[number];

/** Revokes a leaked secret for any reporter, and records it: holding the secret, they could do worse. */
export async function reportLeak(
  context: Context,
  secretValue: string,
  { actor, details }: LeakReport,
): Promise<LeakOutcome> {
  const looksLike = kindOf(context, secretValue);
  return context.transaction(async (inside) => {
    const ended = looksLike === null ? UNKNOWN : await kinds[looksLike].end(inside, secretValue, actor);
    const kind = ended.outcome === 'unknown' ? null : looksLike;
    // Anyone can report secrets that never existed, so those are not recorded; an operator's report always is.
    if (kind === null && actor.type !== 'operator') return { ...ended, kind };
    const auditDetails = { ...details, kind, outcome: ended.outcome };
    const entry = { actor, action: 'leak.reported', reason: LEAKED, ...ended.ids, details: auditDetails };
    await recordAudit(inside, [entry]);
    return { ...ended, kind };
  });
}

function kindOf({ name }: Context, secretValue: string): LeakedKind | null {
  const looksLike = (kind: LeakedKind) =>
    isCheckedSecret(secretPrefix(name, kinds[kind].prefix), secretValue);
  return leakedKinds.find(looksLike) ?? null;
}

/** The outcome for a leaked secret, and what it belonged to. */
interface Ended {
  /** Kept: the last operator key that may create others. */
  outcome: 'revoked' | 'dead_already' | 'kept' | 'unknown';
  ids: {
    tokenId?: string;
    grantId?: string | undefined;
    clientId?: string;
    userId?: string | undefined;
    organizationId?: string;
  };
}

type EndLeaked = (context: Context, secretValue: string, actor: Actor) => Promise<Ended>;

const UNKNOWN: Ended = { outcome: 'unknown', ids: {} };
const LEAKED = 'reported as leaked';

/** An access token is revoked alone. A refresh token is revoked with its grant: its holder may hold the rest. */
const endLeakedToken: EndLeaked = async (context, tokenValue, actor) => {
  const [token] = await findTokens(context.session, [digestOf(tokenValue)]);
  if (!token) return UNKNOWN;
  const { id: tokenId, grantId, clientId, userId } = token;
  const ids = { tokenId, grantId, clientId, userId: userId ?? undefined };
  if (!canBeEnded(token, context.clock.now())) return { outcome: 'dead_already', ids };
  await endAll(context, [{ token, actor, reason: LEAKED }]);
  return { outcome: 'revoked', ids };
};

/** Unused codes are withdrawn; tokens issued from used ones are revoked. */
const endLeakedCode: EndLeaked = async (context, codeValue, actor) => {
  const code = await lockCode(context.session, digestOf(codeValue));
  if (!code) return UNKNOWN;
  const { clientId, userId, grantId } = code;
  const ids = { clientId, userId, grantId: grantId ?? undefined };
  const now = context.clock.now();
  if (code.usedAt === null) {
    await burnCode(context.session, digestOf(codeValue), now);
    return { outcome: now < code.expiresAt ? 'revoked' : 'dead_already', ids };
  }
  const ended = await endGrantsById(context, grantId === null ? [] : [grantId], { actor, reason: LEAKED });
  return { outcome: ended.length > 0 ? 'revoked' : 'dead_already', ids };
};

/** The client may be locked out until it has another secret: better than letting others in. */
const endLeakedClientSecret: EndLeaked = async (context, secretValue, actor) => {
  const secret = await lockSecret(context.session, digestOf(secretValue));
  if (!secret) return UNKNOWN;
  const { id, clientId, organizationId, revokedAt } = secret;
  const ids = { clientId, organizationId };
  if (revokedAt) return { outcome: 'dead_already', ids };
  await revokeSecret(context.session, id, context.clock.now());
  const action = 'client.secret_revoked';
  await recordAudit(context, [{ actor, action, reason: LEAKED, ...ids, details: { secret_id: id } }]);
  return { outcome: 'revoked', ids };
};

/** The client stays as it is; only operators can change it from now on. */
const endLeakedRegistration: EndLeaked = async (context, tokenValue, actor) => {
  const registration = await lockRegistration(context.session, digestOf(tokenValue));
  if (!registration) return UNKNOWN;
  const { id: clientId, organizationId } = registration.client;
  const ids = { clientId, organizationId };
  await deleteRegistration(context.session, clientId);
  await recordAudit(context, [{ actor, action: 'client.registration_revoked', reason: LEAKED, ...ids }]);
  return { outcome: 'revoked', ids };
};

const endLeakedOperatorKey: EndLeaked = async (context, keyValue, actor) => {
  const key = await findOperatorKey(context, keyValue);
  if (!key) return UNKNOWN;
  try {
    await revokeOperatorKey(context, key.id);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') return { outcome: 'kept', ids: {} };
    throw error;
  }
  const details = { operator_key_id: key.id, name: key.name };
  await recordAudit(context, [{ actor, action: 'operator_key.revoked', reason: LEAKED, details }]);
  return { outcome: 'revoked', ids: {} };
};

const kinds: Readonly<Record<LeakedKind, { prefix: SecretKind; end: EndLeaked }>> = {
  access_token: { prefix: 'at', end: endLeakedToken },
  refresh_token: { prefix: 'rt', end: endLeakedToken },
  authorization_code: { prefix: 'ac', end: endLeakedCode },
  client_secret: { prefix: 'cs', end: endLeakedClientSecret },
  registration_access_token: { prefix: 'ra', end: endLeakedRegistration },
  operator_key: { prefix: 'op', end: endLeakedOperatorKey },
};
