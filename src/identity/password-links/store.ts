import type { Kysely } from 'kysely';
import { expiryChore } from '../../environments/chore.ts';
import type { Session } from '../../storage/database.ts';
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

/** Returns how many links had not expired. */
export async function deleteAllLinks(session: Session, now: Date): Promise<number> {
  const { numDeletedRows } = await tables(session)
    .deleteFrom('password_links')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export const passwordLinkChore = expiryChore('password_links');
