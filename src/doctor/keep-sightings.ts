import { recordAudit } from '../audit/audit-log.ts';
import { type Chore, daysAgo, tableChore } from '../environments/chore.ts';
import type { Environment } from '../environments/environment.ts';
import { repeat } from '../kernel/repeat.ts';
import { openSightings, type Sighting, writeSightings } from './sighting-file.ts';
import { deleteSightings, type NodeFacts, noteSighting } from './store.ts';

/** The audit action of a database that does not hold what a node has written into it. */
export const DATABASE_RESTORED = 'database.restored';

/** The audit action of ending all access of a restored database that may have been ended before. */
export const LOST_ACCESS_ENDED = 'lost_access.ended';

export interface SightingOptions {
  environment: Environment;
  dataDir: string;
  /** Facts about this node, stored with each sighting. */
  about: NodeFacts;
  onRestored(lastSeenAt: string): void;
  onError(error: unknown): void;
}

const EVERY_MS = 10_000;
const RETENTION_DAYS = 400;

/**
 * Notices that the database is older than what this node saw of it: that a backup was restored. Tokens that were revoked
 * since are live again then, which nothing else would show. The node writes a number into the database, then into its data
 * folder, so the folder is never ahead. Answers with what stops it.
 */
export function keepSightings(options: SightingOptions): () => Promise<void> {
  const { onError } = options;
  return repeat(() => look(options), { everyMs: EVERY_MS, atOnce: true, onError });
}

/** One look: compares, and writes. */
export async function look({ environment, dataDir, about, onRestored }: SightingOptions): Promise<void> {
  const { name, clock } = environment;
  const known = openSightings(dataDir);
  const last = known.sightings[name];
  const at = clock.now();
  const { number } = await environment.transaction(async (context) => {
    const noted = await noteSighting(context.session, {
      nodeId: known.nodeId,
      number: last?.number ?? 0,
      at,
      about,
    });
    if (last && isOlder(noted.numberBefore, last, at)) {
      await recordAudit(context, [
        {
          actor: { type: 'system', id: null },
          action: DATABASE_RESTORED,
          reason: 'the database lacked data that this node had stored',
          details: {
            node_id: known.nodeId,
            last_seen_at: last.seenAt,
            restored_from: noted.seenAtBefore?.toISOString() ?? null,
          },
        },
      ]);
      onRestored(last.seenAt);
    }
    return noted;
  });
  // Read again: the other environment may have been noted meanwhile.
  const { sightings } = openSightings(dataDir);
  writeSightings(dataDir, {
    nodeId: known.nodeId,
    sightings: { ...sightings, [name]: { number, seenAt: at.toISOString() } },
  });
}

/** Rows leave after their retention: what is missing then proves nothing. */
function isOlder(numberBefore: number | null, last: Sighting, now: Date): boolean {
  if (numberBefore !== null) return numberBefore < last.number;
  return new Date(last.seenAt) > daysAgo(now, RETENTION_DAYS);
}

export const sightingChore: Chore = tableChore('node_sightings', ({ session }, now, limit) =>
  deleteSightings(session, daysAgo(now, RETENTION_DAYS), limit),
);
