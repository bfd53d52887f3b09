import { type ApiVersion, isQuarterly, parseApiVersion } from './api-version.ts';

/** The three versions that are served at one instant. */
export interface MaintainedVersions {
  readonly deprecated: ApiVersion;
  readonly current: ApiVersion;
  readonly next: ApiVersion;
}

export type RejectionReason = 'malformed' | 'unknown' | 'removed';

export type Selection =
  /** Pinned: the request named this version. Otherwise it named none. */
  | { served: true; version: ApiVersion; pinned: boolean }
  | { served: false; reason: RejectionReason; requested: string };

export type VersionSelector = (headerValue: string | undefined) => Selection;

/** Chooses the version of a request from its `Service-Version` header; without one it is Current. */
export function createVersionSelector({ deprecated, current, next }: MaintainedVersions): VersionSelector {
  const served = new Map<string, Selection>(
    [deprecated, current, next].map((version) => [version, { served: true, version, pinned: true }]),
  );
  const whenOmitted: Selection = { served: true, version: current, pinned: false };
  return (headerValue) => {
    if (headerValue === undefined) return whenOmitted;
    return (
      served.get(headerValue) ?? {
        served: false,
        reason: reasonFor(headerValue, deprecated),
        requested: headerValue,
      }
    );
  };
}

function reasonFor(headerValue: string, oldestServed: ApiVersion): RejectionReason {
  const version = parseApiVersion(headerValue);
  if (version === null) return 'malformed';
  return isQuarterly(version) && version < oldestServed ? 'removed' : 'unknown';
}
