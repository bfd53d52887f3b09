import type { Database } from './database.ts';
import { StandbyError } from './storage-error.ts';

export interface DatabaseWatch {
  /** Why this node should get no requests; null while the database answers. */
  problem(): string | null;
  stop(): void;
}

export interface WatchOptions {
  /** Asks what every request asks; on the embedded database, which has no other sessions, it is not called. */
  askAsRequestsDo(): Promise<unknown>;
  onChange(problem: string | null): void;
}

const LOOK_EVERY_MS = 1_000;
/** Connections break and servers restart: a node that left at once would come and go. */
const SILENT_LOOKS_MAX = 5;

/**
 * Notices that the database has stopped answering. Any answer counts, also one to a request: a busy database is not a
 * lost one. A database that answers may still keep requests waiting, such as for a lock on a table: so it is also asked what
 * they ask. Silence is counted in looks, not by the clock, so that a process that was suspended blames nobody.
 */
export function watchDatabase(
  database: Database,
  { askAsRequestsDo, onChange }: WatchOptions,
): DatabaseWatch {
  let reachesStandby = false;
  let silentLooks = 0;
  let stuckLooks = 0;
  let answersBefore = database.answerCount();
  let isAsking = false;
  let isAskingAsRequests = database.engine === 'pglite';
  let reported: string | null = null;

  async function ask(): Promise<void> {
    isAsking = true;
    try {
      await database.ping();
      reachesStandby = false;
    } catch (error) {
      reachesStandby = error instanceof StandbyError;
    } finally {
      isAsking = false;
      look();
    }
  }

  async function askAsRequests(): Promise<void> {
    isAskingAsRequests = true;
    try {
      await askAsRequestsDo();
      stuckLooks = 0;
    } catch {
      // Neither is a failure an answer.
    } finally {
      isAskingAsRequests = false;
      look();
    }
  }

  function look(): void {
    const answers = database.answerCount();
    if (answers > answersBefore) silentLooks = 0;
    answersBefore = answers;
    if (problem() === reported) return;
    reported = problem();
    onChange(reported);
  }

  function problem(): string | null {
    if (reachesStandby) return new StandbyError().message;
    if (silentLooks >= SILENT_LOOKS_MAX)
      return `The database has not answered for ${SILENT_LOOKS_MAX} seconds or more.`;
    if (stuckLooks >= SILENT_LOOKS_MAX)
      return `The database answers, but no token could be looked up for ${SILENT_LOOKS_MAX} seconds or more; another session may hold a lock on the tables.`;
    return null;
  }

  const timer = setInterval(() => {
    silentLooks += 1;
    if (database.engine === 'postgres') stuckLooks += 1;
    look();
    if (!isAsking) void ask();
    if (!isAskingAsRequests) void askAsRequests();
  }, LOOK_EVERY_MS).unref();
  return { problem, stop: () => clearInterval(timer) };
}
