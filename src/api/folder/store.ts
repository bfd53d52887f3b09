import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';

/** The API folder that a database serves. */
export interface ServedFolder {
  id: string;
  title: string;
}

const READ = statement('read_own_api', 'select id, title from {schema}.own_api');
const WRITE = statement(
  'write_own_api',
  `insert into {schema}.own_api (id, title, adopted_at) values ($1, $2, $3)
   on conflict (only_one) do update set id = excluded.id, title = excluded.title, adopted_at = excluded.adopted_at`,
);
const REMOVE = statement('remove_own_api', 'delete from {schema}.own_api');

export async function readServedFolder(session: Session): Promise<ServedFolder | null> {
  const [row] = await session.run<ServedFolder>(READ, []);
  return row ?? null;
}

export async function writeServedFolder(
  session: Session,
  folder: ServedFolder,
  adoptedAt: Date,
): Promise<void> {
  await session.run(WRITE, [folder.id, folder.title, adoptedAt]);
}

export async function removeServedFolder(session: Session): Promise<void> {
  await session.run(REMOVE, []);
}
