import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import { type Context, type SecretKind, secretPrefix } from '../../environments/environment.ts';
import { isCheckedSecret } from '../../kernel/checked-secret.ts';
import {
  type Ended,
  type EndLeaked,
  endLeakedClientSecret,
  endLeakedCode,
  endLeakedOperatorKey,
  endLeakedRegistration,
  endLeakedToken,
  LEAKED,
  UNKNOWN,
} from './end-leaked.ts';

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

const kinds: Readonly<Record<LeakedKind, { prefix: SecretKind; end: EndLeaked }>> = {
  access_token: { prefix: 'at', end: endLeakedToken },
  refresh_token: { prefix: 'rt', end: endLeakedToken },
  authorization_code: { prefix: 'ac', end: endLeakedCode },
  client_secret: { prefix: 'cs', end: endLeakedClientSecret },
  registration_access_token: { prefix: 'ra', end: endLeakedRegistration },
  operator_key: { prefix: 'op', end: endLeakedOperatorKey },
};

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
