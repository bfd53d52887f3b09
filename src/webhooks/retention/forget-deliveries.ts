import type { Scene } from '../../environments/environment.ts';
import { deleteAttempts, deleteOccurrences, deletePayloads } from './store.ts';

const DAY_MS = 24 * 3_600_000;

/** Removes some of what was kept for long enough, by table. Events stay, with their counts: what was sent can be told. */
export const forgetDeliveries = {
  webhook_payloads: forget(deletePayloads),
  webhook_attempts: forget(deleteAttempts),
  occurrences: forget(deleteOccurrences),
} as const;

function forget(remove: typeof deletePayloads) {
  return (scene: Scene, now: Date, limit: number): Promise<number> => {
    const before = new Date(now.getTime() - scene.lifetimes.webhookRetentionDays * DAY_MS);
    return remove(scene.session, before, limit);
  };
}
