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
  /** The same of the operator's own API; null where there was none. */
  folderSha256: string | null;
  actor: string;
  reason: string;
  decidedAt: Date;
}

/** The three versions that are maintained at one instant. */
export interface Lifecycle extends MaintainedVersions {
  /** Current is not frozen: this is a rehearsal. */
  readonly rehearsal: boolean;
  /** The time at which Next becomes Current: as decided, else by the calendar; null if its release was undone. */
  readonly nextReleaseAt: Date | null;
  /** That release will be a rehearsal, as things stand. */
  readonly nextIsRehearsal: boolean;
  /** True if its day in the calendar has passed, and it is not scheduled. */
  readonly overdue: boolean;
  /** The release that was undone last, if no other decision has taken effect since. */
  readonly undone: Pick<LedgerRow, 'version' | 'effectiveAt' | 'rehearsal'> | null;
  /** When a version became Current; if it has not, when it is to. Null where that is not decided, or was before our time. */
  currentAt(version: ApiVersion): Date | null;
  /** A version is Current for one quarter and Deprecated for the next; then it is gone. */
  removedAt(version: ApiVersion): Date | null;
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
  const facts = { frozen, ledger, now };
  const rehearsed = ledger.filter((row) => row.rehearsal).map((row) => row.version);
  const candidates = [...new Set([...frozen, ...rehearsed])].sort();
  const current = candidates.filter((version) => releasedAt(version, facts) !== null).at(-1);
  if (current === undefined) return null;
  const next = nextVersion(current);
  const nextReleaseAt = plannedInstant(next, ledger);
  const currentAt = (version: ApiVersion): Date | null => currentInstant(version, facts);
  return {
    deprecated: previousVersion(current),
    current,
    next,
    rehearsal: !frozen.includes(current),
    nextReleaseAt,
    nextIsRehearsal:
      ledger.findLast((row) => row.version === next && row.kind === 'release')?.rehearsal === true,
    overdue: releaseInstant(next) <= now && (nextReleaseAt === null || nextReleaseAt <= now),
    undone: lastUndone(facts),
    currentAt,
    removedAt: (version) => currentAt(nextVersion(nextVersion(version))),
  };
}

/** The time at which a version became, or is to become, Current. A later decision does not change one that has taken effect. */
function currentInstant(version: ApiVersion, facts: ReleaseFacts): Date | null {
  const { frozen, ledger } = facts;
  const isBeforeOurTime = frozen.every((known) => version < known);
  if (isBeforeOurTime && !ledger.some((row) => row.version === version)) return null;
  return releasedAt(version, facts) ?? plannedInstant(version, ledger);
}

function lastUndone({ ledger, now }: ReleaseFacts): LedgerRow | null {
  const last = standing(ledger).findLast((row) => row.effectiveAt <= now);
  return last?.kind === 'undo' ? last : null;
}

/**
 * When a version is to become Current: what was decided last, else what the calendar says. After a release was taken
 * back nothing is planned, so that the calendar does not repeat what an operator had reason to undo; a rehearsal that
 * was taken back is over, and the calendar goes on.
 */
function plannedInstant(version: ApiVersion, ledger: readonly LedgerRow[]): Date | null {
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
  const released = versions.filter(
    (version) => releasedAt(version, { frozen: versions, ledger, now }) !== null,
  );
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

/**
 * The decisions without those that were replaced before they took effect: a release that is moved happens once, at its
 * new time.
 */
function standing(decisions: readonly LedgerRow[]): LedgerRow[] {
  return decisions.filter(
    ({ version, effectiveAt }, index) =>
      !decisions.slice(index + 1).some((later) => later.version === version && later.decidedAt < effectiveAt),
  );
}

interface ReleaseFacts {
  frozen: readonly ApiVersion[];
  ledger: readonly LedgerRow[];
  now: Date;
}

/** Since when a version has been released; null if it is not. */
function releasedAt(version: ApiVersion, { frozen, ledger, now }: ReleaseFacts): Date | null {
  const decisions = standing(ledger.filter((row) => row.version === version));
  const inEffect = decisions.findLast((row) => row.effectiveAt <= now);
  if (inEffect?.kind === 'release') return inEffect.effectiveAt;
  if (inEffect && !inEffect.rehearsal) return null;
  // Nothing decided is in effect. A decision that is still to come replaces the calendar, and the calendar
  // releases what is frozen only: not what was merely rehearsed once.
  const pending = decisions.some((row) => row.kind === 'release' && row.effectiveAt > now);
  const day = releaseInstant(version);
  return !pending && frozen.includes(version) && day <= now ? day : null;
}
