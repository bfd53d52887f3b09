import { type ApiVersion, nextVersion, previousVersion, releaseInstant } from '@dateline/versions';
import type { Context } from '../environments/environment.ts';
import { LEDGER_CHANNEL } from './follow-ledger.ts';
import { comingReleaseAt } from './lifecycle.ts';
import { type LedgerRow, type Lifecycle, lifecycleAt } from './release-ledger.ts';
import { appendToLedger, readLedger } from './store.ts';

export interface ReleaseRules {
  frozen: readonly ApiVersion[];
  /** The versions that this build can serve at all, and the hash of each contract. */
  held: ReadonlyMap<ApiVersion, string>;
  /** The same of the operator's own API, where there is one. */
  heldFolder?: ReadonlyMap<ApiVersion, string> | null;
  /** Try out a version that is not frozen: the sandbox may, production never. */
  rehearsals: boolean;
  /** Release only in the first week of a quarter, except on request: production. */
  windowed: boolean;
}

export interface Decision {
  /** The operator key that decides, as in the audit log. */
  actor: string;
  reason: string;
  /** The release window does not count. */
  outsideWindow?: boolean;
  /** The version that is meant; without it, the one whose turn it is. */
  version?: ApiVersion | undefined;
}

export interface Decided {
  version: ApiVersion;
  effectiveAt: Date;
  /** The decision existed already: nothing was written. */
  already: boolean;
}

export interface ReleasePlan {
  lifecycle: Lifecycle;
  /** The version that the next release makes Current. */
  target: ApiVersion;
  /** Never past. Null if nothing is planned: its release was undone, or is overdue. */
  plannedAt: Date | null;
  windowOpen: boolean;
  /** Why the release cannot be run now; null if it can. */
  obstacle: string | null;
}

/** A decision that cannot be taken, and why. */
export class ReleaseRefusedError extends Error {
  override readonly name = 'ReleaseRefusedError';
}

/** Decisions join the transaction of their context, so that what belongs to one can be written with it. */
export interface ReleaseDesk {
  plan(context: Context): Promise<ReleasePlan>;
  /** Makes the version of this quarter Current in a few seconds. */
  run(context: Context, decision: Decision): Promise<Decided>;
  schedule(context: Context, at: Date, decision: Decision): Promise<Decided>;
  /** Undoes the last release. */
  undo(context: Context, decision: Decision): Promise<Decided>;
}

// Long enough for every node to read it by polling, even if notifications are lost.
const AHEAD_MS = 3_000;
const WINDOW_DAYS = 7;

/** Decides about releases. Decisions are rows of the ledger; everything else follows from them. */
export function createReleaseDesk(rules: ReleaseRules): ReleaseDesk {
  async function decide(
    context: Context,
    decision: Decision,
    choose: (facts: Facts) => Choice | Decided,
  ): Promise<Decided> {
    return context.transaction(async (inside) => {
      await inside.session.lock('releases');
      const choice = choose(await readFacts(inside));
      if ('already' in choice) return choice;
      const { version, effectiveAt } = choice;
      await appendToLedger(inside.session, {
        rehearsal: !rules.frozen.includes(version),
        ...choice,
        contractSha256: rules.held.get(version) ?? '',
        folderSha256: rules.heldFolder?.get(version) ?? null,
        actor: decision.actor,
        reason: decision.reason,
        decidedAt: inside.clock.now(),
      });
      await inside.session.notify(LEDGER_CHANNEL, '');
      return { version, effectiveAt, already: false };
    });
  }

  async function readFacts({ session, clock }: Context): Promise<Facts> {
    const now = clock.now();
    const ledger = await readLedger(session);
    const lifecycle = lifecycleAt(rules.frozen, ledger, now);
    if (!lifecycle) throw new ReleaseRefusedError('No version has been released yet.');
    return {
      now,
      ledger,
      lifecycle,
      target: targetOf(lifecycle, now),
      soon: new Date(now.getTime() + AHEAD_MS),
    };
  }

  return {
    async plan(context) {
      const { now, lifecycle } = await readFacts(context);
      // Not the version whose turn it is: after a rehearsal, or an early release, that one is Current already.
      const target = lifecycle.next;
      return {
        lifecycle,
        target,
        plannedAt: comingReleaseAt(lifecycle, now),
        windowOpen: isInWindow(now),
        obstacle: obstacleTo(target, rules) ?? windowObstacle(now, rules, {}),
      };
    },
    run: (context, decision) =>
      decide(context, decision, (facts) => {
        const { now, ledger, lifecycle, soon } = facts;
        const target = chosenTarget(decision, facts);
        if (target <= lifecycle.current)
          return { version: target, effectiveAt: lifecycle.currentAt(target) ?? now, already: true };
        const pending = ledger.findLast(
          (row) =>
            row.kind === 'release' &&
            row.version === target &&
            row.effectiveAt > now &&
            row.effectiveAt <= soon,
        );
        if (pending) return { version: target, effectiveAt: pending.effectiveAt, already: true };
        refuse(obstacleTo(target, rules) ?? windowObstacle(now, rules, decision));
        return { kind: 'release', version: target, effectiveAt: soon };
      }),
    schedule: (context, at, decision) =>
      decide(context, decision, ({ lifecycle, soon }) => {
        if (at < soon)
          throw new ReleaseRefusedError(
            'A release must be at least 3 seconds ahead; use "release run" to release now.',
          );
        refuse(obstacleTo(lifecycle.next, rules) ?? windowObstacle(at, rules, decision));
        return { kind: 'release', version: lifecycle.next, effectiveAt: at };
      }),
    undo: (context, decision) =>
      decide(context, decision, ({ now, ledger, lifecycle, soon }) => {
        if (isUndone(ledger, lifecycle, now))
          throw new ReleaseRefusedError('The last release was undone already.');
        const restored = previousVersion(lifecycle.current);
        if (!rules.held.has(previousVersion(restored)) || !rules.held.has(restored)) {
          throw new ReleaseRefusedError(
            `The release of ${lifecycle.current} cannot be undone: this build no longer has ${previousVersion(restored)}.`,
          );
        }
        const rehearsal = endsRehearsal(lifecycle.current, { ledger, frozen: rules.frozen, soon });
        return { kind: 'undo', version: lifecycle.current, effectiveAt: soon, rehearsal };
      }),
  };
}

type Choice = Pick<LedgerRow, 'kind' | 'version' | 'effectiveAt'> & Partial<Pick<LedgerRow, 'rehearsal'>>;

interface Facts {
  now: Date;
  ledger: readonly LedgerRow[];
  lifecycle: Lifecycle;
  target: ApiVersion;
  soon: Date;
}

/**
 * The version whose turn it is: the one of the coming release day, or an earlier one that is late. So the same
 * command given twice releases once.
 */
function targetOf({ next }: Lifecycle, now: Date): ApiVersion {
  let upcoming = next;
  while (releaseInstant(previousVersion(upcoming)) > now) upcoming = previousVersion(upcoming);
  return upcoming;
}

/** Time in which a repeated command without a version means the version of the first one. */
const RETRY_MS = 24 * 3_600_000;

/** The version that is meant. A late release moves the turn on to the next version, which a mere retry does not mean. */
function chosenTarget({ version }: Decision, { now, ledger, lifecycle, target }: Facts): ApiVersion {
  if (version !== undefined) {
    if (version <= lifecycle.current || version === lifecycle.next) return version;
    throw new ReleaseRefusedError(`${version} is not the next version; that is ${lifecycle.next}.`);
  }
  const last = ledger.at(-1);
  const isFresh = last?.kind === 'release' && now.getTime() - last.effectiveAt.getTime() < RETRY_MS;
  return isFresh && last.version === lifecycle.current ? last.version : target;
}

/** True if the last decision in effect is an undo, and no release has followed, not even by the calendar. */
function isUndone(ledger: readonly LedgerRow[], { current }: Lifecycle, now: Date): boolean {
  const last = ledger.at(-1);
  return last?.kind === 'undo' && (last.effectiveAt > now || last.version > current);
}

/**
 * True if an undo ends a mere rehearsal, after which the calendar goes on. False if the calendar would bring the
 * version back at once: then the operator means the release itself.
 */
function endsRehearsal(
  version: ApiVersion,
  { ledger, frozen, soon }: { ledger: readonly LedgerRow[]; frozen: readonly ApiVersion[]; soon: Date },
): boolean {
  const undone = ledger.findLast((row) => row.kind === 'release' && row.version === version);
  return undone?.rehearsal === true && !(frozen.includes(version) && releaseInstant(version) <= soon);
}

function obstacleTo(target: ApiVersion, { frozen, held, rehearsals }: ReleaseRules): string | null {
  if (!frozen.includes(target) && !rehearsals)
    return `${target} is not frozen in this build; only a frozen version can become Current here.`;
  if (!held.has(target) || !held.has(nextVersion(target)))
    return `This build lacks ${target} or the version after it; deploy one that has both.`;
  return null;
}

function windowObstacle(
  at: Date,
  { windowed }: ReleaseRules,
  { outsideWindow, reason }: Partial<Decision>,
): string | null {
  if (!windowed || isInWindow(at)) return null;
  if (outsideWindow) return reason ? null : 'A release outside the window needs a reason.';
  return 'Releases happen in the first week of January, April, July and October; use --outside-window with --reason to release at another time.';
}

function isInWindow(at: Date): boolean {
  return at.getUTCMonth() % 3 === 0 && at.getUTCDate() <= WINDOW_DAYS;
}

function refuse(obstacle: string | null): void {
  if (obstacle !== null) throw new ReleaseRefusedError(obstacle);
}
