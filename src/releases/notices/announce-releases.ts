import { type ApiVersion, previousVersion, releaseInstant } from '@dateline/versions';
import type { Scene } from '../../environments/environment.ts';
import { dayOf, firstOfDays } from '../../usage/day.ts';
import { clientsAtRisk } from '../../usage/usage-report.ts';
import { endpointsPinnedUpTo, organizationsWithEndpoints } from '../../webhooks/pins/pinned-endpoints.ts';
import { recordOccurrences } from '../../webhooks/publishing/record-occurrences.ts';
import type { NewOccurrence } from '../../webhooks/types.ts';
import { removalInstant } from '../lifecycle.ts';
import { type LedgerRow, type Lifecycle, plannedInstant } from '../release-ledger.ts';
import { insertNotice } from './store.ts';

/** How many days before a version is removed its users are notified. */
const DAYS_AHEAD = [30, 7, 1] as const;
/** Clients that used a version in these days count as its users. */
const USE_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
/** A service that was set up long after a release does not announce it. */
const NEWS_FOR_DAYS = 7;

export interface ReleaseState {
  lifecycle: Lifecycle;
  ledger: readonly LedgerRow[];
}

/** Notifies organizations of releases that concern them. Each notice is published once, however many nodes call. */
export async function announceReleases(scene: Scene, state: ReleaseState): Promise<void> {
  await announceRelease(scene, state);
  await announceRemoval(scene, state);
}

/** That a version was released, and which endpoints get their events in another version from now on. */
async function announceRelease(scene: Scene, { lifecycle, ledger }: ReleaseState): Promise<void> {
  const { current, deprecated } = lifecycle;
  const effectiveAt = plannedInstant(current, ledger) ?? releaseInstant(current);
  const now = scene.clock.now();
  if (now.getTime() - effectiveAt.getTime() > NEWS_FOR_DAYS * DAY_MS) return;
  await scene.transaction(async (inside) => {
    const notice = { kind: 'released', version: current, effectiveAt, daysAhead: 0 } as const;
    if (!(await insertNotice(inside.session, notice, now))) return;
    const removed = previousVersion(deprecated);
    await recordOccurrences(inside, [
      {
        type: 'api_version.released',
        organizationIds: await organizationsWithEndpoints(inside),
        data: {
          version: current,
          released_at: effectiveAt.toISOString(),
          deprecated_version: deprecated,
          removed_version: removed,
        },
      },
      ...(await movedEndpoints(inside, lifecycle, effectiveAt)),
    ]);
  });
}

async function movedEndpoints(
  scene: Scene,
  { deprecated, current }: Lifecycle,
  effectiveAt: Date,
): Promise<NewOccurrence[]> {
  const moved = await endpointsPinnedUpTo(scene, previousVersion(deprecated));
  return moved.map(({ id, organizationId, pinnedVersion }) => ({
    type: 'webhook_endpoint.version_moved',
    organizationIds: [organizationId],
    data: {
      endpoint_id: id,
      organization_id: organizationId,
      pinned_version: pinnedVersion,
      api_version: scene.contracts.effective(pinnedVersion),
      released_version: current,
      moved_at: effectiveAt.toISOString(),
    },
  }));
}

/** That Deprecated will be removed. Only the nearest notice that is due, so that a late service does not send three. */
async function announceRemoval(scene: Scene, { lifecycle, ledger }: ReleaseState): Promise<void> {
  const { deprecated, current } = lifecycle;
  const effectiveAt = removalInstant(deprecated, ledger);
  const now = scene.clock.now();
  if (effectiveAt === null || effectiveAt <= now) return;
  const aheadDays = (effectiveAt.getTime() - now.getTime()) / DAY_MS;
  const daysAhead = DAYS_AHEAD.findLast((days) => aheadDays <= days);
  if (daysAhead === undefined) return;
  await scene.transaction(async (inside) => {
    const notice = { kind: 'removal', version: deprecated, effectiveAt, daysAhead } as const;
    if (!(await insertNotice(inside.session, notice, now))) return;
    await recordOccurrences(inside, [
      {
        type: 'api_version.removal_notice',
        organizationIds: await usersOf(inside, deprecated),
        data: {
          version: deprecated,
          removed_at: effectiveAt.toISOString(),
          days_left: daysAhead,
          successor: current,
        },
      },
    ]);
  });
}

/** Organizations whose clients ask for a version, or whose endpoints are pinned to it. */
async function usersOf(scene: Scene, version: ApiVersion): Promise<string[]> {
  const from = firstOfDays(USE_DAYS, dayOf(scene.clock.now()));
  const clients = await clientsAtRisk(scene, { removedVersion: version, from });
  const asking = clients.flatMap(({ risk, client }) =>
    risk === 'version_removed' && client.organizationId !== null ? [client.organizationId] : [],
  );
  const pinned = (await endpointsPinnedUpTo(scene, version)).map(({ organizationId }) => organizationId);
  return [...new Set<string>([...asking, ...pinned])].sort();
}
