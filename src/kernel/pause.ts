import { setTimeout as delay } from 'node:timers/promises';

/** Waits; true if the time passed, false if the signal aborted first. Keeps no process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await delay(ms, true, { signal, ref: false });
  } catch {
    return false;
  }
}
