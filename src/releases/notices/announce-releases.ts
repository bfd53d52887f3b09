import { type ApiVersion, previousVersion } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { repeat } from '../../kernel/repeat.ts';
import { clientsAtRisk } from '../../usage/clients-at-risk.ts';
import { dayOf, firstOfDays } from '../../usage/day.ts';
import { endpointsPinnedUpTo, organizationsWithEndpoints } from '../../webhooks/pins/pinned-endpoints.ts';
import { recordOccurrences } from '../../webhooks/publishing/record-occurrences.ts';
import type { NewOccurrence } from '../../webhooks/types.ts';
import type { Lifecycle } from '../release-ledger.ts';
import { insertNotice, type Notice } from './store.ts';

export interface AnnouncingOptions {
  context: Context;
  lifecycle(): Lifecycle;
  onError(error: unknown): void;
}

const EVERY_MS = 5_000;

/**
 * Announces releases until it is stopped. Every node may run it: each notice is sent once. Returns a function that
 * stops it.
 */
export function keepAnnouncing({ context, lifecycle, onError }: AnnouncingOptions): () => Promise<void> {
  return repeat(() => announceReleases(context, lifecycle()), { everyMs: EVERY_MS, atOnce: true, onError });
}

/** Days before a version's removal on which its users are notified. */
const DAYS_AHEAD = [30, 7, 1] as const;
/** Clients that used a version in these days count as its users. */
const USE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** A service that was set up long after a release does not announce it. */
const NEWS_FOR_DAYS = 7;

/**
 * Notifies organizations of releases that concern them, by one look at the state. Each notice is published once, however
 * many nodes call.
 */
export async function announceReleases(context: Context, lifecycle: Lifecycle): Promise<void> {
  await announceRelease(context, lifecycle);
  await announceUndo(context, lifecycle);
  await announceRemoval(context, lifecycle);
}

/** Announces a release, and the endpoints that get their events in another version from now on. */
async function announceRelease(context: Context, lifecycle: Lifecycle): Promise<void> {
  const { current, deprecated, rehearsal, currentAt } = lifecycle;
  const effectiveAt = currentAt(current);
  if (effectiveAt === null || !isNews(context, effectiveAt)) return;
  const notice = { kind: 'released', version: current, effectiveAt, daysAhead: 0 } as const;
  await announceOnce(context, notice, async (inside) => [
    {
      type: 'api_version.released',
      organizationIds: await organizationsWithEndpoints(inside),
      data: {
        version: current,
        released_at: effectiveAt.toISOString(),
        deprecated_version: deprecated,
        removed_version: previousVersion(deprecated),
        rehearsal,
      },
    },
    ...(await movedEndpoints(inside, lifecycle, effectiveAt)),
  ]);
}

/** Announces that the last release was undone. */
async function announceUndo(context: Context, { current, deprecated, undone }: Lifecycle): Promise<void> {
  if (undone === null || !isNews(context, undone.effectiveAt)) return;
  const { version, effectiveAt, rehearsal } = undone;
  await announceOnce(context, { kind: 'undone', version, effectiveAt, daysAhead: 0 }, async (inside) => [
    {
      type: 'api_version.release_undone',
      organizationIds: await organizationsWithEndpoints(inside),
      data: {
        version,
        undone_at: effectiveAt.toISOString(),
        current_version: current,
        deprecated_version: deprecated,
        rehearsal,
      },
    },
  ]);
}

async function announceOnce(
  context: Context,
  notice: Notice,
  newsOf: (inside: Context) => Promise<NewOccurrence[]>,
): Promise<void> {
  await context.transaction(async (inside) => {
    if (!(await insertNotice(inside.session, notice, inside.clock.now()))) return;
    await recordOccurrences(inside, await newsOf(inside));
  });
}

function isNews({ clock }: Context, effectiveAt: Date): boolean {
  return clock.now().getTime() - effectiveAt.getTime() <= NEWS_FOR_DAYS * DAY_MS;
}

async function movedEndpoints(
  context: Context,
  { deprecated, current, rehearsal }: Lifecycle,
  effectiveAt: Date,
): Promise<NewOccurrence[]> {
  const moved = await endpointsPinnedUpTo(context, previousVersion(deprecated));
  return moved.map(({ id, organizationId, pinnedVersion }) => ({
    type: 'webhook_endpoint.version_moved',
    organizationIds: [organizationId],
    data: {
      endpoint_id: id,
      organization_id: organizationId,
      pinned_version: pinnedVersion,
      // The oldest version that is maintained is the nearest one.
      api_version: deprecated,
      released_version: current,
      moved_at: effectiveAt.toISOString(),
      rehearsal,
    },
  }));
}

/**
 * Announces the removal of Deprecated. Sends only the nearest notice that is due, so that a late service does not send
 * three.
 */
async function announceRemoval(context: Context, lifecycle: Lifecycle): Promise<void> {
  const { deprecated, current, nextIsRehearsal, removedAt } = lifecycle;
  const effectiveAt = removedAt(deprecated);
  const now = context.clock.now();
  if (effectiveAt === null || effectiveAt <= now) return;
  const daysLeft = (effectiveAt.getTime() - now.getTime()) / DAY_MS;
  const daysAhead = DAYS_AHEAD.findLast((days) => daysLeft <= days);
  if (daysAhead === undefined) return;
  const notice = { kind: 'removal', version: deprecated, effectiveAt, daysAhead } as const;
  await announceOnce(context, notice, async (inside) => [
    {
      type: 'api_version.removal_notice',
      organizationIds: await usersOf(inside, deprecated),
      data: {
        version: deprecated,
        removed_at: effectiveAt.toISOString(),
        // Not the notice's own number: a release that is decided late leaves less time than that.
        days_left: Math.round(daysLeft),
        successor: current,
        rehearsal: nextIsRehearsal,
      },
    },
  ]);
}

/** Organizations whose clients ask for a version, or whose endpoints are pinned to it. */
async function usersOf(context: Context, version: ApiVersion): Promise<string[]> {
  const from = firstOfDays(USE_DAYS, dayOf(context.clock.now()));
  const { clients } = await clientsAtRisk(context, { removedVersion: version, from });
  const asking = clients.flatMap(({ risk, client }) =>
    risk === 'version_removed' ? [client.organizationId] : [],
  );
  const pinned = (await endpointsPinnedUpTo(context, version)).map(({ organizationId }) => organizationId);
  return [...new Set<string>([...asking, ...pinned])].sort();
}
