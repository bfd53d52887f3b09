import type { Trouble } from '@dateline/versions';
import type { Database } from '../../src/storage/database.ts';
import { createQueryBuilder } from '../../src/storage/query-builder.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';

export interface TroubledDatabase {
  database: Database;
  /** Every statement meanwhile meets the failure. One that hangs fails in the end, and does nothing. */
  during<Result>(trouble: Trouble | undefined, work: () => Promise<Result>): Promise<Result>;
}

/** A database that fails as a whole on demand, whichever statements an operation makes. */
export function createTroubledDatabase(database: Database): TroubledDatabase {
  let meet: (() => Promise<never>) | null = null;

  const troubled: Database = {
    ...database,
    run: (statement, parameters) => meet?.() ?? database.run(statement, parameters),
    // Read anew for every query, so the current trouble applies.
    tables: () => (meet ? createQueryBuilder(meet, database.schema) : database.tables()) as never,
    lock: (name) => meet?.() ?? database.lock(name),
    notify: (channel, payload) => meet?.() ?? database.notify(channel, payload),
    transaction: (work) => meet?.() ?? database.transaction(work),
  };

  return {
    database: troubled,
    async during(trouble, work) {
      if (trouble === undefined) return work();
      const over = new AbortController();
      meet = () => strike(trouble, over.signal);
      try {
        return await work();
      } finally {
        meet = null;
        over.abort();
      }
    },
  };
}

async function strike(trouble: Trouble, over: AbortSignal): Promise<never> {
  switch (trouble) {
    case 'bug':
      throw new Error('a bug that the tape plays');
    case 'storage_down':
      throw new StorageUnavailableError('an outage that the tape plays');
    case 'hang':
      await new Promise((resolve) => over.addEventListener('abort', resolve));
      throw new StorageUnavailableError('a statement that hung for the tape');
    default:
      throw trouble satisfies never;
  }
}
