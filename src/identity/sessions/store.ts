import type { Kysely } from 'kysely';
import { expiryChore } from '../../environments/chore.ts';
import type { Columns, Session } from '../../storage/database.ts';
import { oneByOne, statement } from '../../storage/statement.ts';
import type { User, UserId } from '../types.ts';

interface Tables {
  sign_in_sessions: Columns<StoredSignIn> & { last_used_at: Date };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export interface StoredSignIn {
  digest: Uint8Array;
  userId: UserId;
  authenticatedAt: Date;
  expiresAt: Date;
}

export async function insertSession(session: Session, signIn: StoredSignIn): Promise<void> {
  await tables(session)
    .insertInto('sign_in_sessions')
    .values({
      digest: signIn.digest,
      user_id: signIn.userId,
      authenticated_at: signIn.authenticatedAt,
      last_used_at: signIn.authenticatedAt,
      expires_at: signIn.expiresAt,
    })
    .execute();
}

// Finds a live session of a user who may sign in, and notes its use, once a minute at most.
const USE_SESSION = statement(
  'use_session',
  `with found as (
     select s.digest, s.last_used_at, s.authenticated_at, u.id, u.email, u.name, u.created_at
     from (${oneByOne('sign_in_sessions', 'digest = $1')}) s
     cross join lateral (${oneByOne('users', 'id = s.user_id')}) u
     where s.expires_at > $2 and s.last_used_at > $3 and u.blocked_at is null
   ), noted as (
     update {schema}.sign_in_sessions s set last_used_at = $2 from found
     where s.digest = found.digest and found.last_used_at < $2::timestamptz - interval '1 minute'
   )
   select authenticated_at as "authenticatedAt", id, email, name, null as "blockedAt", created_at as "createdAt"
   from found`,
);

/** Null for a session that is over, or was last used at `idleSince` or before. */
export async function useSession(
  session: Session,
  digest: Buffer,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<{ user: User; authenticatedAt: Date } | null> {
  const [row] = await session.run<User & { authenticatedAt: Date }>(USE_SESSION, [digest, now, idleSince]);
  if (!row) return null;
  const { authenticatedAt, ...user } = row;
  return { user, authenticatedAt };
}

export interface SignInSession {
  authenticatedAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const SESSIONS_OF = statement(
  'sessions_of_user',
  `select authenticated_at as "authenticatedAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
   from {schema}.sign_in_sessions where user_id = $1 and expires_at > $2 and last_used_at > $3
   order by last_used_at desc limit 100`,
);

/** The live ones, those first that were used last. */
export async function selectSessionsOf(
  session: Session,
  userId: UserId,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<SignInSession[]> {
  return session.run<SignInSession>(SESSIONS_OF, [userId, now, idleSince]);
}

export async function deleteSession(session: Session, digest: Buffer): Promise<void> {
  await tables(session).deleteFrom('sign_in_sessions').where('digest', '=', digest).execute();
}

export async function deleteSessionsOf(session: Session, userId: UserId): Promise<void> {
  await tables(session).deleteFrom('sign_in_sessions').where('user_id', '=', userId).execute();
}

/** Signs everybody out. Returns how many sessions had not expired. */
export async function deleteAllSessions(session: Session, now: Date): Promise<number> {
  const { numDeletedRows } = await tables(session)
    .deleteFrom('sign_in_sessions')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export const sessionChore = expiryChore('sign_in_sessions');
