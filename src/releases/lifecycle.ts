import { type ApiVersion, nextVersion } from '@dateline/versions';
import type { Lifecycle } from './release-ledger.ts';

export type VersionState = 'deprecated' | 'current' | 'next';

/** The maintained versions with their states and dates, oldest first. */
export function describeLifecycle({ deprecated, current, next, currentAt, removedAt }: Lifecycle) {
  const states: readonly (readonly [ApiVersion, VersionState])[] = [
    [deprecated, 'deprecated'],
    [current, 'current'],
    [next, 'next'],
  ];
  return states.map(([version, state]) => ({
    version,
    state,
    becomesCurrentAt: currentAt(version),
    removedAt: removedAt(version),
  }));
}

/** The state changes of one release; the last version does not exist before it. */
export function releaseChanges({ deprecated, current, next }: Lifecycle) {
  return [
    { version: deprecated, state: 'deprecated', becomes: 'removed' },
    { version: current, state: 'current', becomes: 'deprecated' },
    { version: next, state: 'next', becomes: 'current' },
    { version: nextVersion(next), state: null, becomes: 'next' },
  ] as const;
}

/** When the next release is to be. Null if nothing is planned, also where its day has passed without it: then it is overdue. */
export function comingReleaseAt({ nextReleaseAt }: Lifecycle, now: Date): Date | null {
  return nextReleaseAt !== null && nextReleaseAt > now ? nextReleaseAt : null;
}
