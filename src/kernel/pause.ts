import { setTimeout as delay } from 'node:timers/promises';

/** Waits, and answers whether the time has passed without anybody asking to stop. Keeps no process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await delay(ms, true, { signal, ref: false });
  } catch {
    return false;
  }
}
