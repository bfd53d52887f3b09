import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 40;

/** Waits until something holds; fails after a while, with this sentence. Returns how long it took. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs: number,
  otherwise = 'waited in vain',
): Promise<number> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > limitMs) throw new Error(otherwise);
    await pause(LOOK_MS);
  }
  return performance.now() - startedAt;
}
