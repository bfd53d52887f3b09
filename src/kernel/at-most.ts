import { setTimeout as delay } from 'node:timers/promises';

/** Waits for the work, but no longer than this. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(limitMs, undefined, { ref: false })]);
}
