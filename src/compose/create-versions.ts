import type { ApiVersion } from '@dateline/versions';
import { frozenVersions } from '../contracts/api.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { createServedVersions, type ServedVersions } from '../releases/served-versions.ts';

/** The versions of this build as the calendar has them, until a ledger says otherwise. */
export function createVersions(
  clock: Clock,
  frozen: readonly ApiVersion[] = frozenVersions(),
): ServedVersions {
  const versions = createServedVersions(frozen, clock);
  if (versions) return versions;
  throw new StartupError(
    `The clock of this machine says ${clock.now().toISOString()}, when no API version was released yet; set the clock.`,
  );
}
