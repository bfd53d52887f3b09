import { type Chore, daysAgo, tableChore } from '../../environments/chore.ts';
import {
  deleteAttempts,
  deleteEndpoints,
  deleteEvents,
  deleteOccurrences,
  deletePayloads,
  deletePublished,
  deleteRecoveries,
} from './store.ts';

/**
 * So long after its payload an event can still be read, and sending it again is answered with what has become of it. What
 * refers to events leaves with them.
 */
const WITHOUT_PAYLOAD_DAYS = 7;

export const deliveryChores: readonly Chore[] = [
  afterRetention('webhook_payloads', deletePayloads),
  afterRetention('webhook_attempts', deleteAttempts),
  afterRetention('occurrences', deleteOccurrences),
  afterRetention('webhook_events', deleteEvents, WITHOUT_PAYLOAD_DAYS),
  afterRetention('published_occurrences', deletePublished, WITHOUT_PAYLOAD_DAYS),
  afterRetention('webhook_recoveries', deleteRecoveries, WITHOUT_PAYLOAD_DAYS),
  afterRetention('webhook_endpoints', deleteEndpoints, WITHOUT_PAYLOAD_DAYS),
];

function afterRetention(table: string, remove: typeof deletePayloads, moreDays = 0): Chore {
  return tableChore(table, ({ session, lifetimes }, now, limit) =>
    remove(session, daysAgo(now, lifetimes.webhookRetentionDays + moreDays), limit),
  );
}
