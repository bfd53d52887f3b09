import { keeping, rowIsLocked, type Step, withRow } from './primary.ts';
import type { Case } from './rules.ts';
import { type Ender, endOf, NO_ROW, NOT_READ, type Row, rowIn, type State } from './state.ts';

export function isAcknowledged({ phase }: Ender): boolean {
  return phase === 'acknowledged' || phase === 'expired';
}

/** The access that an ender ends. */
export function accessOf({ bounds }: Case, index: number): number {
  return bounds.enders[index] === 'same' ? 1 : index + 1;
}

/** All that the enders may do next. */
export function enderEvents(the: Case, state: State, step: Step): void {
  const mayEnd = !isOnNewTimeline(the, state);
  for (const [index, ender] of state.enders.entries()) {
    if (the.bounds.enders[index] === 'own') commit(the, state, index, ender, step);
    else if (ender.phase === 'sent') findEnded(the, state, index, step);
    if (mayReadRows(the, index, ender) && mayEnd) readRows(the, state, index, step);
    if (index > 0 && ender.phase === 'returned') joinWait(the, state, index, step);
    if (ender.phase === 'waiting' && mayEnd) endWait(the, state, index, ender, step);
    if (ender.phase === 'expired' && the.bounds.endersDelete) deleteRow(the, state, index, ender, step);
  }
}

/** Leases that an asynchronous promotion has lost may still be in use. */
function isOnNewTimeline({ rules, bounds }: Case, { primary, sincePromotion }: State): boolean {
  const isAwaited = !bounds.isSynchronous && rules.newTimelineIsWaitedOut;
  return isAwaited && primary.old !== undefined && sincePromotion < bounds.waitTicks;
}

function commit(the: Case, state: State, index: number, ender: Ender, step: Step): void {
  const name = `end ${index + 1}`;
  if (ender.phase === 'sent' && !isAfterItsTwin(the, state, index)) {
    const { primary } = state;
    const logged = { ...primary, log: [...primary.log, endOf(index + 1)] };
    step(`${name} is in the log`, withPhase({ ...state, primary: logged }, index, 'logged'));
  }
  // Where nobody looks at whether the access has ended, it makes no difference how long a commit is visible before it returns.
  const isLookedAt = the.bounds.enders.includes('same');
  if (ender.phase === 'logged' && isLookedAt) step(`${name} is visible`, withPhase(state, index, 'visible'));
  if (ender.phase === (isLookedAt ? 'visible' : 'logged')) {
    const kept = keeping(state, state.primary.log.indexOf(endOf(index + 1)) + 1);
    step(`${name} returns`, withPhase(kept, index, 'returned'));
  }
}

/** Two enders that do the same, each for itself, are alike: it is enough to look at one order of their records. */
function isAfterItsTwin({ bounds }: Case, { enders }: State, index: number): boolean {
  return index > 0 && !bounds.sharedWait && enders[index - 1]?.phase === 'sent';
}

/** Finds that another has ended the access, as soon as that commit is visible. */
function findEnded({ rules }: Case, state: State, index: number, step: Step): void {
  const first = state.enders[0]?.phase ?? 'sent';
  if (first === 'sent' || first === 'logged') return;
  step(
    `ender ${index + 1} finds the access ended`,
    withPhase(state, index, rules.endedAlreadyIsAwaited ? 'returned' : 'acknowledged'),
  );
}

function readRows(the: Case, state: State, index: number, step: Step): void {
  const ender = state.enders[index];
  if (!ender) return;
  for (const { renewal } of rowsToRead(the, state)) {
    if (ender.phase === 'returned')
      beginWait(the, state, index, { ...ender, seen: seenBy(ender, renewal) }, step);
    else if (ender.seen === NOT_READ)
      step(`ender ${index + 1} reads the rows early`, withEnder(state, index, { ...ender, seen: renewal }));
  }
}

/** One that shares a wait is looked at here only while it does: one that waits for itself is in cases of its own. */
function mayReadRows({ rules, bounds }: Case, index: number, { phase }: Ender): boolean {
  if (bounds.sharedWait && index > 0) return false;
  return phase === 'returned' || (phase === 'sent' && !rules.rowsAreReadAfterReturn);
}

function seenBy(ender: Ender, renewal: number): number {
  return ender.seen === NOT_READ ? renewal : ender.seen;
}

function rowsToRead({ rules, bounds }: Case, { primary }: State): Row[] {
  const isElsewhere = primary.old && bounds.oldPrimaryLives && !rules.rowsAreReadWhereCommitted;
  return isElsewhere ? [primary.row, rowIn(primary.old.log)] : [primary.row];
}

function beginWait({ rules }: Case, state: State, index: number, ender: Ender, step: Step): void {
  const next =
    ender.seen === 0 || !rules.rowsAreAwaited
      ? acknowledged(state, index, 'acknowledged')
      : withEnder(state, index, { ...ender, phase: 'waiting' });
  step(`ender ${index + 1} reads the rows, and sees renewal ${ender.seen}`, next);
}

function joinWait({ rules, bounds }: Case, state: State, index: number, step: Step): void {
  const first = state.enders[0]?.phase;
  const isOpen = first === 'returned' || (first === 'waiting' && !rules.sharedWaitIsJoinedBeforeReading);
  if (bounds.sharedWait && isOpen)
    step(`ender ${index + 1} joins the wait of ender 1`, withPhase(state, index, 'joined'));
}

function endWait({ rules, bounds }: Case, state: State, index: number, ender: Ender, step: Step): void {
  const { row } = state.primary;
  const isShown = row.shown >= (rules.laterRenewalIsAwaited ? ender.seen + 1 : ender.seen);
  const name = `ender ${index + 1}`;
  if (row.renewal === 0) step(`${name} finds the row gone`, acknowledged(state, index, 'acknowledged'));
  else if (isShown) step(`${name} finds shown = ${row.shown}`, acknowledged(state, index, 'acknowledged'));
  if (ender.age >= bounds.waitTicks)
    step(`${name} has waited long enough`, acknowledged(state, index, 'expired'));
}

function deleteRow({ rules }: Case, state: State, index: number, ender: Ender, step: Step): void {
  const { row } = state.primary;
  if (rowIsLocked(state) || row.renewal === 0) return;
  if (rules.onlyUnchangedRowsAreDeleted && row.renewal !== ender.seen) return;
  step(`ender ${index + 1} deletes the row`, acknowledged(withRow(state, NO_ROW), index, 'acknowledged'));
}

/** With the end acknowledged, and those of the enders that share the wait. */
function acknowledged(state: State, index: number, phase: 'acknowledged' | 'expired'): State {
  const enders = state.enders.map((ender, at): Ender => {
    if (at === index) return { phase, seen: phase === 'expired' ? ender.seen : NOT_READ, age: 0 };
    return index === 0 && ender.phase === 'joined'
      ? { phase: 'acknowledged', seen: NOT_READ, age: 0 }
      : ender;
  });
  return { ...state, enders };
}

function withPhase(state: State, index: number, phase: Ender['phase']): State {
  const ender = state.enders[index];
  return ender ? withEnder(state, index, { ...ender, phase }) : state;
}

function withEnder(state: State, index: number, ender: Ender): State {
  return { ...state, enders: state.enders.with(index, ender) };
}
