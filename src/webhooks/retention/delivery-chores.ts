import { type Chore, daysAgo, tableChore } from '../../environments/chore.ts';
import { deleteAttempts, deleteOccurrences, deletePayloads } from './store.ts';

/** Events stay, with their counts: what was sent can still be listed. */
export const deliveryChores: readonly Chore[] = [
  afterRetention('webhook_payloads', deletePayloads),
  afterRetention('webhook_attempts', deleteAttempts),
  afterRetention('occurrences', deleteOccurrences),
];

function afterRetention(table: string, remove: typeof deletePayloads): Chore {
  return tableChore(table, ({ session, lifetimes }, now, limit) =>
    remove(session, daysAgo(now, lifetimes.webhookRetentionDays), limit),
  );
}
