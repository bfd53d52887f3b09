import type { Fault } from '@dateline/versions';
import type { Database } from '../../src/storage/database.ts';
import { createQueryBuilder } from '../../src/storage/query-builder.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';

export interface FailingDatabase {
  database: Database;
  /** Every statement meanwhile meets the failure. One that hangs fails in the end, and does nothing. */
  during<Result>(fault: Fault | undefined, work: () => Promise<Result>): Promise<Result>;
}

/** A database that fails as a whole on demand, whichever statements an operation makes. */
export function createFailingDatabase(database: Database): FailingDatabase {
  let meet: (() => Promise<never>) | null = null;

  const failing: Database = {
    ...database,
    run: (statement, parameters) => meet?.() ?? database.run(statement, parameters),
    // Read anew for every query, so the current fault applies.
    tables: () => (meet ? createQueryBuilder(meet, database.schema) : database.tables()) as never,
    lock: (name) => meet?.() ?? database.lock(name),
    notify: (channel, payload) => meet?.() ?? database.notify(channel, payload),
    transaction: (work) => meet?.() ?? database.transaction(work),
  };

  return {
    database: failing,
    async during(fault, work) {
      if (fault === undefined) return work();
      const over = new AbortController();
      meet = () => strike(fault, over.signal);
      try {
        return await work();
      } finally {
        meet = null;
        over.abort();
      }
    },
  };
}

async function strike(fault: Fault, over: AbortSignal): Promise<never> {
  switch (fault) {
    case 'bug':
      throw new Error('a bug that the tape plays');
    case 'storage_down':
      throw new StorageUnavailableError('an outage that the tape plays');
    case 'hang':
      await new Promise((resolve) => over.addEventListener('abort', resolve));
      throw new StorageUnavailableError('a statement that hung for the tape');
    default:
      throw fault satisfies never;
  }
}
