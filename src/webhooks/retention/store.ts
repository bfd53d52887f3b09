import { type Deletion, deletionByAge } from '../../storage/deletion.ts';
import { statement } from '../../storage/statement.ts';
import { attemptIdPrefix, eventIdPrefix, occurrenceIdPrefix, recoveryIdPrefix } from '../types.ts';

export const deleteOccurrences = deletionByAge('delete_occurrences', {
  table: 'occurrences',
  idPrefix: occurrenceIdPrefix,
});
export const deletePayloads = deletionByAge('delete_webhook_payloads', {
  table: 'webhook_payloads',
  idPrefix: occurrenceIdPrefix,
  idColumn: 'occurrence_id',
});
export const deleteAttempts = deletionByAge('delete_webhook_attempts', {
  table: 'webhook_attempts',
  idPrefix: attemptIdPrefix,
});
export const deletePublished = deletionByAge('delete_published_occurrences', {
  table: 'published_occurrences',
  idPrefix: occurrenceIdPrefix,
  idColumn: 'occurrence_id',
});
export const deleteEvents = deletionByAge('delete_webhook_events', {
  table: 'webhook_events',
  idPrefix: eventIdPrefix,
});
export const deleteRecoveries = deletionByAge('delete_webhook_recoveries', {
  table: 'webhook_recoveries',
  idPrefix: recoveryIdPrefix,
});

// Deleted so long ago that their events have left. Their lanes and recoveries first: those refer to them.
const LOCK_DELETED_ENDPOINTS = statement(
  'lock_deleted_webhook_endpoints',
  `select id from {schema}.webhook_endpoints
   where deleted_at < $1 order by deleted_at limit $2 for update skip locked`,
);
const DELETE_LANES = statement(
  'delete_webhook_lanes',
  'delete from {schema}.webhook_lanes where endpoint_id = any($1::text[])',
);
const DELETE_RECOVERIES_OF = statement(
  'delete_webhook_recoveries_of_endpoints',
  'delete from {schema}.webhook_recoveries where endpoint_id = any($1::text[])',
);
const DELETE_ENDPOINTS = statement(
  'delete_webhook_endpoints',
  'delete from {schema}.webhook_endpoints where id = any($1::text[])',
);

export const deleteEndpoints: Deletion<Date> = async (session, before, limit) => {
  const found = await session.run<{ id: string }>(LOCK_DELETED_ENDPOINTS, [before, limit]);
  const ids = found.map(({ id }) => id);
  for (const sql of [DELETE_LANES, DELETE_RECOVERIES_OF, DELETE_ENDPOINTS]) await session.run(sql, [ids]);
  return ids.length;
};
