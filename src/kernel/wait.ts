import { setTimeout as delay } from 'node:timers/promises';

/** Waits for the work, but no longer than this. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(limitMs, undefined, { ref: false })]);
}

/** A wake-up that also counts if it rings before the wait begins. */
export interface Bell {
  ring(): void;
  /** Until it rings, or until the time is over. Returns whether it rang. */
  wait(limitMs: number): Promise<boolean>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    async wait(limitMs) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limitMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const rang = hasRung;
      hasRung = false;
      wake = undefined;
      return rang;
    },
  };
}
