import { type ApiVersion, nextVersion, previousVersion, releaseInstant } from './api-version.ts';

export type VersionState = 'deprecated' | 'current' | 'next';

/** The three versions that are maintained at one instant. */
export interface Lifecycle {
  readonly deprecated: ApiVersion;
  readonly current: ApiVersion;
  readonly next: ApiVersion;
}

/**
 * Current is the newest version that is frozen and whose release instant has passed; Deprecated is the one
 * before it, Next the one after. Null before the first release.
 */
export function lifecycleAt(frozen: readonly ApiVersion[], now: Date): Lifecycle | null {
  const released = frozen.filter((version) => releaseInstant(version) <= now).sort();
  const current = released.at(-1);
  if (current === undefined) return null;
  return { deprecated: previousVersion(current), current, next: nextVersion(current) };
}

/** The maintained versions with their states and dates, oldest first. */
export function describeLifecycle({ deprecated, current, next }: Lifecycle) {
  return [
    { version: deprecated, state: 'deprecated' as const },
    { version: current, state: 'current' as const },
    { version: next, state: 'next' as const },
  ].map(({ version, state }) => ({
    version,
    state,
    becomesCurrentAt: releaseInstant(version),
    removedAt: removalInstant(version),
  }));
}

/** A version is Current for one quarter and Deprecated for the next; then it is gone. */
export function removalInstant(version: ApiVersion): Date {
  return releaseInstant(nextVersion(nextVersion(version)));
}
