import {
  type ApiVersion,
  createVersionSelector,
  releaseInstant,
  type VersionSelector,
} from '@dateline/versions';
import type { Clock } from '../kernel/clock.ts';
import { type LedgerRow, type Lifecycle, lifecycleAt, nextMove } from './release-ledger.ts';

/** The versions that the edge serves, as of now. */
export interface ServedVersions {
  /** A snapshot for one request: two calls could see two states. */
  moment(): VersionMoment;
  lifecycle(): Lifecycle;
  ledger(): readonly LedgerRow[];
  select: VersionSelector;
  current(): ApiVersion;
  supported(): readonly ApiVersion[];
  /** The headers that announce the end of a version: empty unless it is Deprecated. */
  deprecationOf(version: ApiVersion): Headers;
  /** Forgets the times seen so far: another clock is followed from now on. */
  forgetTime(): void;
  /** Takes over the decisions so far. Until then only the calendar counts. */
  follow(ledger: readonly LedgerRow[]): void;
}

type Headers = readonly (readonly [string, string])[];

/** Everything that follows from one lifecycle. */
export interface VersionMoment {
  readonly lifecycle: Lifecycle;
  readonly select: VersionSelector;
  /** Headers of every answer in Deprecated. */
  readonly deprecationHeaders: Headers;
}

interface Known extends VersionMoment {
  /** The time until which it is valid. */
  movesAtMs: number;
}

/**
 * Follows the ledger. Every request asks, so a release takes effect at its very instant; until then it costs one
 * comparison of numbers. A clock that steps back changes nothing. Null if the clock is before the first release.
 */
export function createServedVersions(frozen: readonly ApiVersion[], clock: Clock): ServedVersions | null {
  let ledger: readonly LedgerRow[] = [];
  let latestMs = clock.now().getTime();

  function look(): Known | null {
    const now = new Date(latestMs);
    const lifecycle = lifecycleAt(frozen, ledger, now);
    if (!lifecycle) return null;
    return {
      lifecycle,
      select: createVersionSelector(lifecycle),
      deprecationHeaders: deprecationHeaders(lifecycle),
      movesAtMs: Math.min(...lookAgainAt(lifecycle, now)),
    };
  }

  /** At the next move; and when the calendar's day for Next has come, since without a move it is overdue then. */
  function lookAgainAt({ next }: Lifecycle, now: Date): number[] {
    const instants = [nextMove(frozen, ledger, now), releaseInstant(next)];
    return instants.filter((instant) => instant !== null && instant > now).map(Number);
  }

  const first = look();
  if (!first) return null;
  let known = first;

  function now(): Known {
    const nowMs = clock.nowMs();
    if (nowMs > latestMs) latestMs = nowMs;
    if (latestMs >= known.movesAtMs) known = look() ?? known;
    return known;
  }

  return {
    moment: now,
    lifecycle: () => now().lifecycle,
    ledger: () => ledger,
    select: (headerValue) => now().select(headerValue),
    current: () => now().lifecycle.current,
    supported: () => {
      const { deprecated, current, next } = now().lifecycle;
      return [deprecated, current, next];
    },
    deprecationOf(version) {
      const { lifecycle, deprecationHeaders } = now();
      return version === lifecycle.deprecated ? deprecationHeaders : [];
    },
    forgetTime() {
      latestMs = clock.now().getTime();
      known = look() ?? known;
    },
    follow(rows) {
      ledger = rows;
      known = look() ?? known;
    },
  };
}

/** RFC 9745 (Deprecation), RFC 8594 (Sunset), and where to read on. */
function deprecationHeaders({ deprecated, current, currentAt, removedAt }: Lifecycle): Headers {
  const links = [
    `</versions/${current}/release-notes>; rel="deprecation"; type="text/markdown"`,
    `</versions/${current}/openapi.json>; rel="successor-version"`,
  ];
  const since = currentAt(current) ?? releaseInstant(current);
  const sunset = removedAt(deprecated);
  return [
    ['deprecation', `@${Math.floor(since.getTime() / 1000)}`],
    ...(sunset ? [['sunset', sunset.toUTCString()] as const] : []),
    ['link', links.join(', ')],
  ];
}
