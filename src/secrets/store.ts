import type { Kysely } from 'kysely';
import type { Session } from '../storage/database.ts';

interface Tables {
  secret_key: { is_only: boolean; active_id: string; former_ids: readonly string[]; active_since: Date };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

/** The ids of the keys that a database needs. */
export interface KeysInUse {
  activeId: string;
  formerIds: readonly string[];
  activeSince: Date;
}

const columns = ['active_id as activeId', 'former_ids as formerIds', 'active_since as activeSince'] as const;

export async function selectKeysInUse(session: Session): Promise<KeysInUse | null> {
  return (await tables(session).selectFrom('secret_key').select(columns).executeTakeFirst()) ?? null;
}

/** The same, locked against a change of the active key until the transaction ends. */
export async function holdKeysInUse(session: Session): Promise<KeysInUse | null> {
  const row = await tables(session).selectFrom('secret_key').select(columns).forShare().executeTakeFirst();
  return row ?? null;
}

/** The same, locked against sealing until the transaction ends. */
export async function lockKeysInUse(session: Session): Promise<KeysInUse | null> {
  const row = await tables(session).selectFrom('secret_key').select(columns).forUpdate().executeTakeFirst();
  return row ?? null;
}

export async function insertKeyInUse(session: Session, activeId: string, now: Date): Promise<void> {
  await tables(session)
    .insertInto('secret_key')
    .values({ is_only: true, active_id: activeId, former_ids: [], active_since: now })
    .execute();
}

export async function updateKeysInUse(session: Session, keys: KeysInUse): Promise<void> {
  await tables(session)
    .updateTable('secret_key')
    .set({ active_id: keys.activeId, former_ids: keys.formerIds, active_since: keys.activeSince })
    .execute();
}
