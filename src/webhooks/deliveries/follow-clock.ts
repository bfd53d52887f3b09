import type { Context } from '../../environments/environment.ts';
import { putOffAnew } from './store.ts';

/** A clock that runs a little back, such as when it is asked anew, was not set. */
const SET_BACK_MS = 5_000;
/** An attempt that ended before the clock was set back may be stored after it. */
const LOOK_FOR_MS = 60_000;
const LOOK_EVERY_MS = 5_000;
const BATCH = 1_000;

/**
 * Events that wait for an instant wait for too long once the clock was set back. Returns a function that is to be called
 * often: when the clock was set back, also before the first call, it puts right what waits.
 */
export function followClock({ session, clock }: Pick<Context, 'session' | 'clock'>): () => Promise<void> {
  let latestMs = Number.POSITIVE_INFINITY;
  let lookUntilMs = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  return async () => {
    const steadyMs = performance.now();
    const nowMs = clock.nowMs();
    const wasSetBack = nowMs < latestMs - SET_BACK_MS;
    if (wasSetBack) lookUntilMs = steadyMs + LOOK_FOR_MS;
    latestMs = wasSetBack ? nowMs : Math.max(latestMs, nowMs);
    const isTime = steadyMs < lookUntilMs && steadyMs - lookedAtMs >= LOOK_EVERY_MS;
    if (!wasSetBack && !isTime) return;
    lookedAtMs = steadyMs;
    while ((await putOffAnew(session, clock.now(), BATCH)) === BATCH);
  };
}
