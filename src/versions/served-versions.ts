import type { Clock } from '../kernel/clock.ts';
import type { ApiVersion } from './api-version.ts';
import { type Lifecycle, lifecycleAt } from './lifecycle.ts';
import { createVersionSelector, type VersionSelector } from './select-version.ts';

/** What the edge needs to know about versions, as of now. */
export interface ServedVersions {
  lifecycle(): Lifecycle;
  select: VersionSelector;
  current(): ApiVersion;
  supported(): readonly ApiVersion[];
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

  function lifecycle(): Lifecycle {
    const now = lifecycleAt(frozen, clock.now());
    if (now && now.current > known.current) {
      known = now;
      selector = createVersionSelector(now);
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
  };
}
