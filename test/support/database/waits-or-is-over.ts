import type { Environment } from '../../../src/environments/environment.ts';
import { statement } from '../../../src/storage/statement.ts';

/** Until the work waits for a lock. In the embedded database all sessions wait for the open transaction. */
export async function waitsOrIsOver({ database }: Environment, work: Promise<unknown>): Promise<void> {
  let isOver = database.engine === 'pglite';
  const end = (): void => {
    isOver = true;
  };
  void work.then(end, end);
  while (!isOver && (await database.run(WAITING, [])).length === 0);
}

const WAITING = statement(
  'read_waiting',
  `select 1 from pg_catalog.pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
);
