import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/**
 * A commit that waits for a standby goes on waiting when its connection is closed: PostgreSQL looks for a lost client only after
 * that. Were such connections replaced at once, they would use up all that the server allows, and tokens could not be read either.
 */
export interface LeftWaiting {
  /** Settles when this process of the server does not wait for a standby, or nobody can say whether it does. */
  over(process: number): Promise<void>;
  /** Waits for none of them any more. */
  stop(): void;
}

const WAITS = "select 1 from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'";
const LOOK_EVERY_MS = 1_000;
const ANSWER_MS_MAX = 2_000;

export function createLeftWaiting(pool: pg.Pool): LeftWaiting {
  const stopping = new AbortController();
  const pause = { ref: false, signal: stopping.signal };

  async function waits(process: number): Promise<boolean> {
    const query = { text: WAITS, values: [process], query_timeout: ANSWER_MS_MAX };
    return (await pool.query(query)).rows.length > 0;
  }

  return {
    async over(process) {
      try {
        while (await waits(process)) await delay(LOOK_EVERY_MS, undefined, pause);
      } catch {
        // A server that does not answer, or is another one by now, has nothing of ours that could pile up.
      }
    },
    stop: () => stopping.abort(),
  };
}
