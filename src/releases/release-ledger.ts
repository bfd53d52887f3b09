import {
  type ApiVersion,
  type MaintainedVersions,
  nextVersion,
  previousVersion,
  releaseInstant,
} from '@dateline/versions';

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
export interface Lifecycle extends MaintainedVersions {
  /** Current is not frozen: this is a rehearsal. */
  readonly rehearsal: boolean;
  /** When Next becomes Current as things stand: as decided, or by the calendar; null if its release was taken back. */
  readonly nextReleaseAt: Date | null;
  /** Its day in the calendar has passed, and nothing says when it will be released. */
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
  const current = candidates.filter((version) => isReleased(version, { frozen, ledger, now })).at(-1);
  if (current === undefined) return null;
  const next = nextVersion(current);
  const nextReleaseAt = plannedInstant(next, ledger);
  return {
    deprecated: previousVersion(current),
    current,
    next,
    rehearsal: !frozen.includes(current),
    nextReleaseAt,
    overdue: releaseInstant(next) <= now && (nextReleaseAt === null || nextReleaseAt <= now),
  };
}

/**
 * When a version is to become Current: what was decided last, else what the calendar says. After a release was taken
 * back nothing is planned, so that the calendar does not repeat what an operator had reason to undo; a rehearsal that
 * was taken back is over, and the calendar goes on.
 */
export function plannedInstant(version: ApiVersion, ledger: readonly LedgerRow[]): Date | null {
  const last = ledger.findLast((row) => row.version === version);
  if (!last || (last.kind === 'undo' && last.rehearsal)) return releaseInstant(version);
  return last.kind === 'release' ? last.effectiveAt : null;
}

/**
 * The newest version that was released for good by now, also one that this build has not frozen: a node with a newer build
 * may have decided it.
 */
export function newestReleased(ledger: readonly LedgerRow[], now: Date): ApiVersion | null {
  const versions = ledger.filter((row) => row.kind === 'release' && !row.rehearsal).map((row) => row.version);
  const released = versions.filter((version) => isReleased(version, { frozen: versions, ledger, now }));
  return released.sort().at(-1) ?? null;
}

/** The next instant at which the lifecycle may move. */
export function nextMove(
  frozen: readonly ApiVersion[],
  ledger: readonly LedgerRow[],
  now: Date,
): Date | null {
  const instants = [...frozen.map(releaseInstant), ...ledger.map((row) => row.effectiveAt)];
  const later = instants
    .filter((instant) => instant > now)
    .sort((one, other) => one.getTime() - other.getTime());
  return later[0] ?? null;
}

/** Without those that were replaced before they took effect: a release that is moved happens once, at its new time. */
function standing(decisions: readonly LedgerRow[]): LedgerRow[] {
  return decisions.filter(
    ({ effectiveAt }, index) => !decisions.slice(index + 1).some(({ decidedAt }) => decidedAt < effectiveAt),
  );
}

interface ReleaseFacts {
  frozen: readonly ApiVersion[];
  ledger: readonly LedgerRow[];
  now: Date;
}

function isReleased(version: ApiVersion, { frozen, ledger, now }: ReleaseFacts): boolean {
  const decisions = standing(ledger.filter((row) => row.version === version));
  const inEffect = decisions.findLast((row) => row.effectiveAt <= now);
  if (inEffect?.kind === 'release') return true;
  if (inEffect && !inEffect.rehearsal) return false;
  // Nothing decided is in effect. A decision that is still to come replaces the calendar, and the calendar
  // releases what is frozen only: not what was merely rehearsed once.
  const pending = decisions.some((row) => row.kind === 'release' && row.effectiveAt > now);
  return !pending && frozen.includes(version) && releaseInstant(version) <= now;
}
