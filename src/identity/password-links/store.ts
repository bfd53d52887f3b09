import type { Kysely } from 'kysely';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { UserId } from '../types.ts';

interface Tables {
  password_links: { digest: Uint8Array; user_id: UserId; expires_at: Date };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export async function insertLink(
  session: Session,
  link: { digest: Buffer; userId: UserId; expiresAt: Date },
): Promise<void> {
  await tables(session)
    .insertInto('password_links')
    .values({ digest: link.digest, user_id: link.userId, expires_at: link.expiresAt })
    .execute();
}

/** The user of a link; null if it is unknown, used or expired. */
export async function selectLinkUser(session: Session, digest: Buffer, now: Date): Promise<UserId | null> {
  const row = await tables(session)
    .selectFrom('password_links')
    .select('user_id as userId')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.userId ?? null;
}

/** The same, and nobody can use it again: of two that try at the same time, one gets the user. */
export async function deleteLink(session: Session, digest: Buffer, now: Date): Promise<UserId | null> {
  const row = await tables(session)
    .deleteFrom('password_links')
    .where('digest', '=', digest)
    .where('expires_at', '>', now)
    .returning('user_id as userId')
    .executeTakeFirst();
  return row?.userId ?? null;
}

export async function deleteLinksOf(session: Session, userId: UserId): Promise<void> {
  await tables(session).deleteFrom('password_links').where('user_id', '=', userId).execute();
}

const DELETE_EXPIRED_LINKS = statement(
  'delete_expired_password_links',
  `delete from {schema}.password_links l
   using (select digest from {schema}.password_links where expires_at <= $1
          order by expires_at limit $2 for update skip locked) over
   where l.digest = over.digest
   returning 1`,
);

export async function deleteExpiredLinks(session: Session, now: Date, limit: number): Promise<number> {
  return (await session.run(DELETE_EXPIRED_LINKS, [now, limit])).length;
}
