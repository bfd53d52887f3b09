import type { Database } from './database.ts';
import { StandbyError } from './storage-error.ts';

export interface DatabaseWatch {
  /** Why this node should get no requests; null while the database answers. */
  problem(): string | null;
  stop(): void;
}

const LOOK_EVERY_MS = 1_000;
/** Connections break and servers restart: a node that left at once would come and go. */
const SILENT_LOOKS_MAX = 5;

/**
 * Notices that the database has stopped answering. Any answer counts, also one to a request: a busy database is not a
 * lost one. Silence is counted in looks, not by the clock, so that a process that was suspended blames nobody.
 */
export function watchDatabase(database: Database, onChange: (problem: string | null) => void): DatabaseWatch {
  let reachesStandby = false;
  let silentLooks = 0;
  let answersBefore = database.answerCount();
  let isAsking = false;
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
    if (silentLooks < SILENT_LOOKS_MAX) return null;
    return `The database has not answered for ${SILENT_LOOKS_MAX} seconds or more.`;
  }

  const timer = setInterval(() => {
    silentLooks += 1;
    look();
    if (!isAsking) void ask();
  }, LOOK_EVERY_MS).unref();
  return { problem, stop: () => clearInterval(timer) };
}
