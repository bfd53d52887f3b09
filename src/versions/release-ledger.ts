import { type ApiVersion, nextVersion, previousVersion, releaseInstant } from './api-version.ts';

/** One decision about a release. The ledger is the list of all of them, oldest first; none is ever changed. */
export interface LedgerRow {
  number: number;
  kind: 'release' | 'undo';
  version: ApiVersion;
  effectiveAt: Date;
  rehearsal: boolean;
  contractSha256: string;
  actor: string;
  reason: string;
  decidedAt: Date;
}

/** The three versions that are maintained at one instant. */
export interface Lifecycle {
  readonly deprecated: ApiVersion;
  readonly current: ApiVersion;
  readonly next: ApiVersion;
  /** Current is not frozen: this is a rehearsal. */
  readonly rehearsal: boolean;
  /** When Next becomes Current as things stand: as decided, or by the calendar. */
  readonly nextReleaseAt: Date;
  /** That instant has passed, but Next is not frozen in this build. */
  readonly overdue: boolean;
}

/**
 * Current is the newest version that is frozen, or that a rehearsal has released, and whose instant has passed;
 * Deprecated is the one before it, Next the one after. Null before the first release.
 */
export function lifecycleAt(
  frozen: readonly ApiVersion[],
  ledger: readonly LedgerRow[],
  now: Date,
): Lifecycle | null {
  const rehearsed = ledger.filter((row) => row.rehearsal).map((row) => row.version);
  const candidates = [...new Set([...frozen, ...rehearsed])].sort();
  const current = candidates.filter((version) => isReleased(version, ledger, now)).at(-1);
  if (current === undefined) return null;
  const next = nextVersion(current);
  const nextReleaseAt = plannedInstant(next, ledger);
  return {
    deprecated: previousVersion(current),
    current,
    next,
    rehearsal: !frozen.includes(current),
    nextReleaseAt,
    overdue: nextReleaseAt <= now && !frozen.includes(next),
  };
}

/** When a version is to become Current: the last that was decided, else what the calendar says. */
export function plannedInstant(version: ApiVersion, ledger: readonly LedgerRow[]): Date {
  return lastRelease(version, ledger)?.effectiveAt ?? releaseInstant(version);
}

/** The instants at which the lifecycle may move, after this one. */
export function nextMove(
  frozen: readonly ApiVersion[],
  ledger: readonly LedgerRow[],
  now: Date,
): Date | null {
  const instants = [
    ...frozen.map((version) => plannedInstant(version, ledger)),
    ...ledger.map((row) => row.effectiveAt),
  ];
  const later = instants
    .filter((instant) => instant > now)
    .sort((one, other) => one.getTime() - other.getTime());
  return later[0] ?? null;
}

function isReleased(version: ApiVersion, ledger: readonly LedgerRow[], now: Date): boolean {
  if (plannedInstant(version, ledger) > now) return false;
  const since = lastRelease(version, ledger)?.number ?? 0;
  return !ledger.some(
    (row) => row.kind === 'undo' && row.version === version && row.number > since && row.effectiveAt <= now,
  );
}

function lastRelease(version: ApiVersion, ledger: readonly LedgerRow[]): LedgerRow | undefined {
  return ledger.filter((row) => row.kind === 'release' && row.version === version).at(-1);
}
