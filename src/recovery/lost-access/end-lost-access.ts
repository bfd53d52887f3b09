import { recordAudit } from '../../audit/audit-log.ts';
import { listAudit } from '../../audit/read-audit.ts';
import type { Actor } from '../../audit/types.ts';
import { LOST_ACCESS_ENDED } from '../../doctor/keep-sightings.ts';
import type { Context } from '../../environments/environment.ts';
import { deleteAllOperatorSessions } from '../../identity/operator-sessions/store.ts';
import { deleteAllLinks } from '../../identity/password-links/store.ts';
import { deleteAllSessions } from '../../identity/sessions/store.ts';
import { countPeople } from '../../identity/store.ts';
import { deleteAllConsents } from '../../oauth/authorize/consent/store.ts';
import { countCredentials, useUpRegistrationTokens } from '../../oauth/clients/registration/store.ts';
import { endEveryGrant } from '../../oauth/tokens/bulk/end-every-grant.ts';
import { countEnabledEndpoints } from '../../webhooks/endpoints/store.ts';

export interface LostWindow {
  /** The moment that the restored data is of; what happened after it is lost. */
  lostFrom: Date;
  /** Does everything and takes it back, so that it counts what would be ended. */
  dryRun: boolean;
}

export interface LostAccess {
  /** True if this was done before: the same database was not restored since, so nothing is to do. */
  alreadyDone: boolean;
  /** By kind, how many were ended. */
  ended: Readonly<Record<EndedKind, number>>;
  /** By kind, how many stay, and may have been revoked, changed or removed in the lost window. */
  toCheck: Readonly<Record<CheckedKind, number>>;
}

export const endedKinds = [
  'grants',
  'tokens',
  'authorization_codes',
  'consents',
  'registration_tokens',
  'sign_in_sessions',
  'console_sessions',
  'password_links',
] as const;
export type EndedKind = (typeof endedKinds)[number];

export const checkedKinds = [
  'operator_keys',
  'clients',
  'client_secrets',
  'registration_access_tokens',
  'users',
  'memberships',
  'webhook_endpoints',
] as const;
export type CheckedKind = (typeof checkedKinds)[number];

const SYSTEM: Actor = { type: 'system', id: null };

/**
 * Ends all access that a restored database still has and that may have been ended after the moment it is of: all of it, or
 * nothing. Everything that lives in it was alive then. It is for a database that nobody has used since: access that began after the
 * restore would end too. Credentials that only their holder can replace stay, and are counted.
 */
export async function endLostAccess(context: Context, { lostFrom, dryRun }: LostWindow): Promise<LostAccess> {
  try {
    return await context.transaction(async (inside) => {
      await inside.session.lock('lost_access');
      const toCheck = await countToCheck(inside);
      if (await wasDone(inside, lostFrom)) return { alreadyDone: true, ended: NOTHING, toCheck };
      const ended = await endAll(inside, lostFrom);
      await recordAudit(inside, [
        {
          actor: SYSTEM,
          action: LOST_ACCESS_ENDED,
          reason: reasonOf(lostFrom),
          details: { lost_from: lostFrom.toISOString(), ...ended },
        },
      ]);
      const done = { alreadyDone: false, ended, toCheck };
      if (dryRun) throw new TakenBack(done);
      return done;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.done;
    throw error;
  }
}

/** Rolls the transaction of a dry run back, with what it has counted. */
class TakenBack extends Error {
  readonly done: LostAccess;
  constructor(done: LostAccess) {
    super('a dry run changes nothing');
    this.done = done;
  }
}

const NOTHING: LostAccess['ended'] = {
  grants: 0,
  tokens: 0,
  authorization_codes: 0,
  consents: 0,
  registration_tokens: 0,
  sign_in_sessions: 0,
  console_sessions: 0,
  password_links: 0,
};

/** Stored with all that it has done, so one entry proves the whole. A backup from before does not have it. */
async function wasDone(context: Context, lostFrom: Date): Promise<boolean> {
  const filter = { action: LOST_ACCESS_ENDED, details: { lost_from: lostFrom.toISOString() } };
  return (await listAudit(context, filter, { limit: 1, after: null })).items.length > 0;
}

async function endAll(context: Context, lostFrom: Date): Promise<LostAccess['ended']> {
  const { session, clock } = context;
  const now = clock.now();
  // Before the grants, which take theirs with them.
  const consents = await deleteAllConsents(session);
  const { grants, tokens, codes } = await endEveryGrant(context, {
    actor: SYSTEM,
    reason: reasonOf(lostFrom),
  });
  return {
    grants,
    tokens,
    authorization_codes: codes,
    consents,
    registration_tokens: await useUpRegistrationTokens(session, now),
    sign_in_sessions: await deleteAllSessions(session, now),
    console_sessions: await deleteAllOperatorSessions(session, now),
    password_links: await deleteAllLinks(session, now),
  };
}

async function countToCheck({ session }: Context): Promise<LostAccess['toCheck']> {
  const { users, memberships, operatorKeys } = await countPeople(session);
  const { clients, secrets, registrations } = await countCredentials(session);
  return {
    operator_keys: operatorKeys,
    clients,
    client_secrets: secrets,
    registration_access_tokens: registrations,
    users,
    memberships,
    webhook_endpoints: await countEnabledEndpoints(session),
  };
}

function reasonOf(lostFrom: Date): string {
  return `the database was restored: what happened after ${lostFrom.toISOString()} is lost`;
}
