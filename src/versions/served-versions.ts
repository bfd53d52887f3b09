import type { Clock } from '../kernel/clock.ts';
import { type ApiVersion, releaseInstant } from './api-version.ts';
import { type Lifecycle, lifecycleAt, removalInstant } from './lifecycle.ts';
import { createVersionSelector, type VersionSelector } from './select-version.ts';

/** What the edge needs to know about versions, as of now. */
export interface ServedVersions {
  lifecycle(): Lifecycle;
  select: VersionSelector;
  current(): ApiVersion;
  supported(): readonly ApiVersion[];
  /** What every answer of a version that is on its way out says about that; nothing for the others. */
  deprecationHeaders(version: ApiVersion): readonly (readonly [string, string])[];
}

/**
 * Follows the calendar over the frozen versions, forwards only: a clock that steps back brings no version back.
 * Null where the clock lies before the first release.
 */
export function createServedVersions(frozen: readonly ApiVersion[], clock: Clock): ServedVersions | null {
  const first = lifecycleAt(frozen, clock.now());
  if (!first) return null;
  let known = first;
  let selector = createVersionSelector(known);
  let headers = deprecationHeaders(known);

  function lifecycle(): Lifecycle {
    const now = lifecycleAt(frozen, clock.now());
    if (now && now.current > known.current) {
      known = now;
      selector = createVersionSelector(now);
      headers = deprecationHeaders(now);
    }
    return known;
  }

  return {
    lifecycle,
    select: (headerValue) => {
      lifecycle();
      return selector(headerValue);
    },
    current: () => lifecycle().current,
    supported: () => {
      const { deprecated, current, next } = lifecycle();
      return [deprecated, current, next];
    },
    deprecationHeaders: (version) => (version === lifecycle().deprecated ? headers : NONE),
  };
}

const NONE: readonly (readonly [string, string])[] = [];

/** RFC 9745 (Deprecation), RFC 8594 (Sunset), and where to read on. */
function deprecationHeaders({ deprecated, current }: Lifecycle): readonly (readonly [string, string])[] {
  const links = [
    `</versions/${current}/release-notes>; rel="deprecation"; type="text/markdown"`,
    `</versions/${current}/openapi.json>; rel="successor-version"`,
  ];
  return [
    ['deprecation', `@${releaseInstant(current).getTime() / 1000}`],
    ['sunset', removalInstant(deprecated).toUTCString()],
    ['link', links.join(', ')],
  ];
}
