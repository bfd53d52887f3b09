import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import { type Scene, type SecretKind, secretPrefix } from '../../environments/environment.ts';
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
  /** Who reports; the system for somebody who does not say who they are. */
  actor: Actor;
  /** Where it was found and the like. Never a secret. */
  details: Readonly<Record<string, unknown>>;
}

export interface LeakOutcome extends Ended {
  /** Null for what is unknown, whatever it looks like. */
  kind: LeakedKind | null;
}

const leakedKinds = [
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

/** Ends a secret that has leaked, whoever says so, and writes it down: who knows it could do worse. */
export async function reportLeak(
  scene: Scene,
  secretValue: string,
  { actor, details }: LeakReport,
): Promise<LeakOutcome> {
  const looksLike = kindOf(scene, secretValue);
  return scene.transaction(async (inside) => {
    const ended = looksLike === null ? UNKNOWN : await kinds[looksLike].end(inside, secretValue, actor);
    const kind = ended.outcome === 'unknown' ? null : looksLike;
    // Anybody can report what was never issued, as often as they like: not worth a line. An operator means it.
    if (kind === null && actor.type !== 'operator') return { ...ended, kind };
    const told = { ...details, kind, outcome: ended.outcome };
    const entry = { actor, action: 'leak.reported', reason: LEAKED, ...ended.places, details: told };
    await recordAudit(inside, [entry]);
    return { ...ended, kind };
  });
}

function kindOf({ name }: Scene, secretValue: string): LeakedKind | null {
  const looksLike = (kind: LeakedKind) =>
    isCheckedSecret(secretPrefix(name, kinds[kind].prefix), secretValue);
  return leakedKinds.find(looksLike) ?? null;
}
