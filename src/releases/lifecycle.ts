import { type ApiVersion, nextVersion } from '@dateline/versions';
import { type LedgerRow, type Lifecycle, plannedInstant } from './release-ledger.ts';

export type VersionState = 'deprecated' | 'current' | 'next';

/** The maintained versions with their states and dates, oldest first. */
export function describeLifecycle({ deprecated, current, next }: Lifecycle, ledger: readonly LedgerRow[]) {
  const states: readonly (readonly [ApiVersion, VersionState])[] = [
    [deprecated, 'deprecated'],
    [current, 'current'],
    [next, 'next'],
  ];
  return states.map(([version, state]) => ({
    version,
    state,
    becomesCurrentAt: plannedInstant(version, ledger),
    removedAt: removalInstant(version, ledger),
  }));
}

/** A version is Current for one quarter and Deprecated for the next; then it is gone. Null where that is not planned. */
export function removalInstant(version: ApiVersion, ledger: readonly LedgerRow[]): Date | null {
  return plannedInstant(nextVersion(nextVersion(version)), ledger);
}

/** What one release does to each version; the last one does not exist before it. */
export function releaseChanges({ deprecated, current, next }: Lifecycle) {
  return [
    { version: deprecated, state: 'deprecated', becomes: 'removed' },
    { version: current, state: 'current', becomes: 'deprecated' },
    { version: next, state: 'next', becomes: 'current' },
    { version: nextVersion(next), state: null, becomes: 'next' },
  ] as const;
}
