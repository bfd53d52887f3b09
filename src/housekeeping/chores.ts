import { forgetAudit } from '../audit/forget-audit.ts';
import type { Scene } from '../environments/environment.ts';
import { forgetSessions } from '../identity/sessions/forget-sessions.ts';
import { forgetDeliveries } from '../webhooks/retention/forget-deliveries.ts';
import {
  deleteClients,
  deleteCodes,
  deleteEmptyGrants,
  deleteRotations,
  deleteSpentGrants,
  deleteTokens,
  deleteTokensOf,
  lockDeadGrants,
} from './store.ts';

/** Something that grows and whose old rows leave, some at a time. */
export interface Chore {
  name: string;
  /** Removes some rows, in the transaction it is given. */
  removeSome(scene: Scene, now: Date): Promise<Removed>;
}

export interface Removed {
  /** How many rows left, by table. */
  rows: Readonly<Record<string, number>>;
  /** Whether there may be more to remove at once. */
  more: boolean;
}

/** How long things stay after they are dead, or after they happened. */
export const retentionDays = {
  /** Tokens, codes, grants and deleted clients: so long it can be told why a token died. */
  dead: 7,
  audit: 400,
} as const;

export const ROWS_MAX = 500;
const GRANTS_MAX = 100;

export const chores: readonly Chore[] = [
  simple('oauth_rotations', (scene, now) => deleteRotations(scene.session, now, ROWS_MAX)),
  { name: 'expired tokens', removeSome: removeExpiredTokens },
  { name: 'dead grants', removeSome: removeDeadGrants },
  simple('oauth_codes', (scene, now) => deleteCodes(scene.session, ago(now, retentionDays.dead), ROWS_MAX)),
  simple('oauth_clients', (scene, now) =>
    deleteClients(scene.session, ago(now, retentionDays.dead), ROWS_MAX),
  ),
  simple('sign_in_sessions', (scene, now) => forgetSessions(scene, now, ROWS_MAX)),
  simple('audit_log', (scene, now) => forgetAudit(scene, ago(now, retentionDays.audit), ROWS_MAX)),
  ...Object.entries(forgetDeliveries).map(([table, forget]) =>
    simple(table, (scene, now) => forget(scene, now, ROWS_MAX)),
  ),
];

/** One table, one statement. */
function simple(table: string, remove: (scene: Scene, now: Date) => Promise<number>): Chore {
  return {
    name: table,
    async removeSome(scene, now) {
      const rows = await remove(scene, now);
      return { rows: { [table]: rows }, more: rows === ROWS_MAX };
    },
  };
}

/** A refresh token that was used stays with its grant, so that whoever uses it again is noticed. */
async function removeExpiredTokens({ session }: Scene, now: Date): Promise<Removed> {
  const grantIds = await deleteTokens(session, ago(now, retentionDays.dead), ROWS_MAX);
  const grants = await deleteSpentGrants(session, [...new Set(grantIds)]);
  return {
    rows: { oauth_tokens: grantIds.length, oauth_grants: grants },
    more: grantIds.length === ROWS_MAX,
  };
}

/** A grant may have thousands of tokens: it leaves when the last of them has left. */
async function removeDeadGrants({ session }: Scene, now: Date): Promise<Removed> {
  const ids = await lockDeadGrants(session, ago(now, retentionDays.dead), GRANTS_MAX);
  if (ids.length === 0) return { rows: {}, more: false };
  const tokens = await deleteTokensOf(session, ids, ROWS_MAX);
  const grants = await deleteEmptyGrants(session, ids);
  return { rows: { oauth_tokens: tokens, oauth_grants: grants }, more: tokens + grants > 0 };
}

const DAY_MS = 24 * 3_600_000;

function ago(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
