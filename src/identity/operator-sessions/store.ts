import type { Kysely } from 'kysely';
import { expiryChore } from '../../environments/chore.ts';
import type { Session } from '../../storage/database.ts';
import { oneByOne, statement } from '../../storage/statement.ts';
import type { OperatorKey, OperatorKeyId } from '../types.ts';

interface Tables {
  operator_sessions: {
    digest: Uint8Array;
    operator_key_id: OperatorKeyId | null;
    configured_digest: Uint8Array | null;
    created_at: Date;
    last_used_at: Date;
    expires_at: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

/** Which key a session was begun with: a stored one, or the one from the settings by its digest. */
export type SessionKey = { id: OperatorKeyId } | { configuredDigest: Uint8Array };

export interface StoredOperatorSession {
  digest: Uint8Array;
  key: SessionKey;
  startedAt: Date;
  expiresAt: Date;
}

export async function insertOperatorSession(
  session: Session,
  { digest, key, startedAt, expiresAt }: StoredOperatorSession,
): Promise<void> {
  await tables(session)
    .insertInto('operator_sessions')
    .values({
      digest,
      operator_key_id: 'id' in key ? key.id : null,
      configured_digest: 'id' in key ? null : key.configuredDigest,
      created_at: startedAt,
      last_used_at: startedAt,
      expires_at: expiresAt,
    })
    .execute();
}

// Finds a live session whose key is live too, and notes its use, once a minute at most.
const USE_OPERATOR_SESSION = statement(
  'use_operator_session',
  `with found as (
     select s.digest, s.last_used_at, s.configured_digest, k.id, k.name, k.role
     from (${oneByOne('operator_sessions', 'digest = $1')}) s
     left join lateral (${oneByOne('operator_keys', 'id = s.operator_key_id')}) k on k.revoked_at is null
     where s.expires_at > $2 and s.last_used_at > $3
       and (k.id is not null or s.configured_digest is not null)
   ), noted as (
     update {schema}.operator_sessions s set last_used_at = $2 from found
     where s.digest = found.digest and found.last_used_at < $2::timestamptz - interval '1 minute'
   )
   select id, name, role, configured_digest as "configuredDigest" from found`,
);

export type UsedSession =
  | { configuredDigest: Uint8Array }
  | (Pick<OperatorKey, 'id' | 'name' | 'role'> & { configuredDigest: null });

/** Null for a session that is over, was last used at `idleSince` or before, or whose key was revoked. */
export async function useOperatorSession(
  session: Session,
  digest: Buffer,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<UsedSession | null> {
  const [row] = await session.run<UsedSession>(USE_OPERATOR_SESSION, [digest, now, idleSince]);
  return row ?? null;
}

export async function deleteOperatorSession(session: Session, digest: Buffer): Promise<void> {
  await tables(session).deleteFrom('operator_sessions').where('digest', '=', digest).execute();
}

/** Signs all operators out of the console. Returns how many sessions had not expired. */
export async function deleteAllOperatorSessions(session: Session, now: Date): Promise<number> {
  const { numDeletedRows } = await tables(session)
    .deleteFrom('operator_sessions')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export const operatorSessionChore = expiryChore('operator_sessions');
