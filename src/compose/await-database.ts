import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../kernel/error-facts.ts';
import { asStartupError } from '../storage/open-database.ts';
import { isNotThereYet } from '../storage/storage-error.ts';
import type { ServiceOptions } from './service-options.ts';

const RETRY_MS = 1_000;
const SAY_EVERY_MS = 10_000;

/**
 * Starts something that needs the database, and retries while the server is not up yet. Any other failure ends the
 * start at once.
 */
export async function awaitDatabase<Started>(
  { config, say, waitMs = 0 }: Pick<ServiceOptions, 'config' | 'say' | 'waitMs'>,
  start: () => Promise<Started>,
): Promise<Started> {
  const giveUpAtMs = performance.now() + waitMs;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const nowMs = performance.now();
      if (!isNotThereYet(error) || nowMs >= giveUpAtMs) throw error;
      if (nowMs - saidAtMs >= SAY_EVERY_MS) {
        saidAtMs = nowMs;
        const leftSeconds = Math.ceil((giveUpAtMs - nowMs) / 1_000);
        const why = errorMessage(asStartupError(error, config.databaseUrl));
        say(`Waiting for the database, ${leftSeconds} seconds more: ${why}`);
      }
      await delay(Math.min(RETRY_MS, giveUpAtMs - nowMs));
    }
  }
}
