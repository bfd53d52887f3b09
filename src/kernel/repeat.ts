import { setTimeout as delay } from 'node:timers/promises';

export interface RepeatOptions {
  /** From the end of one round to the beginning of the next; a function is asked before each pause. */
  everyMs: number | (() => number);
  /** Begins the first round now, not after the first pause. */
  atOnce?: boolean;
  /** A failed round is reported, and the next one comes in its time. */
  onError(error: unknown): void;
}

/**
 * Runs the work periodically until it is stopped, and never twice at the same time. The work gets a signal that aborts
 * on stopping. Returns a function that stops it, and waits for the running round.
 */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  { everyMs, atOnce = false, onError }: RepeatOptions,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function round(): Promise<void> {
    try {
      await work(signal);
    } catch (error) {
      onError(error);
    }
  }

  async function run(): Promise<void> {
    if (atOnce) await round();
    while (await pause(typeof everyMs === 'number' ? everyMs : everyMs(), signal)) await round();
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Waits; true if the time passed, false if the signal aborted first. Does not keep the process alive. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await delay(ms, true, { signal, ref: false });
  } catch {
    return false;
  }
}
