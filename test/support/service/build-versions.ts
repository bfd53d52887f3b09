import { type ApiVersion, nextVersion, previousVersion, releaseInstant } from '@dateline/versions';
import { frozenVersions } from '../../../src/contracts/api.ts';
import { headVersion } from '../../../src/contracts/head/version.ts';

// The three versions that this build is made for: tests name them by their state, so that they stay valid when
// `dateline contract release` moves everything on by a quarter.
export const next: ApiVersion = headVersion;
export const current: ApiVersion = previousVersion(next);
export const deprecated: ApiVersion = previousVersion(current);
export const maintained: readonly ApiVersion[] = [deprecated, current, next];
export const removed: ApiVersion = previousVersion(deprecated);
/** The newest version whose contract is gone from this build: removed for one release at least. */
export const gone: ApiVersion = previousVersion(frozenVersions().toSorted()[0] ?? next);
export const afterNext: ApiVersion = nextVersion(next);

/** When Next becomes Current. */
export const releaseAt: Date = releaseInstant(next);

/** A moment well inside the quarter in which these three are maintained. */
export const homeTime: string = middleOf(current);

/** The maintained versions that have what came in this one: head at least. */
export function versionsSince(arrival: string): ApiVersion[] {
  return maintained.filter((version) => version >= arrival);
}

/** The maintained versions that do without it: none, once a build has left them behind. */
export function versionsBefore(arrival: string): ApiVersion[] {
  return maintained.filter((version) => version < arrival);
}

/** A moment when a version is Current. */
export function middleOf(version: ApiVersion): string {
  const month = String(Number(version.slice(5)) + 1).padStart(2, '0');
  return `${version.slice(0, 4)}-${month}-15T12:00:00.000Z`;
}

if (!frozenVersions().includes(current)) throw new Error(`this build has not frozen ${current}`);
