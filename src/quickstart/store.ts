import type { Session } from '../storage/database.ts';

interface Tables {
  quickstart: { seeded_at: Date };
}

export async function isSeeded(session: Session): Promise<boolean> {
  const row = await session.tables<Tables>().selectFrom('quickstart').select('seeded_at').executeTakeFirst();
  return row !== undefined;
}

export async function markSeeded(session: Session, now: Date): Promise<void> {
  await session.tables<Tables>().insertInto('quickstart').values({ seeded_at: now }).execute();
}
