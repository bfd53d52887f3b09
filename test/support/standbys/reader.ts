import { keeping, rowIsLocked, type Step, withRecord, withRow } from './primary.ts';
import type { Case } from './rules.ts';
import {
  type Check,
  type Connection,
  NO_ROW,
  type Reader,
  recordOf,
  type State,
  type Write,
} from './state.ts';

/** All that the reader, or a write of the reader's, may do next. */
export function readerEvents(the: Case, state: State, step: Step): void {
  sendRenewal(the, state, step);
  carryOut(the, state, 'write', step);
  carryOut(the, state, 'orphan', step);
  readPosition(the, state, step);
  returnRenewal(the, state, step);
  reportShown(the, state, step);
  loseAnswer(the, state, step);
  giveUp(the, state, step);
  if (state.reader.dropsBelow > 0) step('the reader drops connections', withDropsDone(state));
}

function sendRenewal({ bounds }: Case, state: State, step: Step): void {
  const { reader } = state;
  if (reader.write || reader.nextRenewal > bounds.renewals) return;
  const write = newWrite('renewal', reader.nextRenewal, reader.reported);
  step(`the reader notes its clock and sends renewal ${write.renewal}`, {
    ...state,
    reader: { ...reader, write, nextRenewal: reader.nextRenewal + 1 },
  });
}

function newWrite(kind: Write['kind'], renewal: number, shown: number): Write {
  return { kind, renewal, shown, phase: 'sent', position: -1, age: 0, at: 0 };
}

type Slot = 'write' | 'orphan';

function carryOut(the: Case, state: State, slot: Slot, step: Step): void {
  const write = state.reader[slot];
  if (write?.phase === 'sent' && slot === 'write') logOnOldPrimary(the, state, write, step);
  if (write?.phase === 'sent' && !rowIsLocked(state)) {
    if (write.kind === 'renewal') logRenewal(the, state, slot, step);
    else finishWrite(the, state, slot, step);
  }
  if (write?.phase === 'logged') {
    const { renewal, shown } = write;
    const seen = { ...state, primary: { ...state.primary, row: { renewal, shown } } };
    step(`${nameOf(write, slot)} is visible`, withWrite(the, seen, slot, { ...write, phase: 'visible' }));
  }
}

function logRenewal(the: Case, state: State, slot: Slot, step: Step): void {
  const write = state.reader[slot];
  if (!write) return;
  const { renewal, shown } = write;
  if (the.rules.renewalsOnlyRise && state.primary.row.renewal >= renewal) {
    step(`${nameOf(write, slot)} finds a newer row`, withSlot(state, slot, undefined));
    return;
  }
  const at = state.primary.log.length;
  const logged = withSlot(state, slot, { ...write, phase: 'logged', at });
  step(`${nameOf(write, slot)} is in the log`, withRecord(logged, { renewal, shown }));
}

/** There no commit returns any more, as no synchronous standby is left: the reader goes on with the next number. */
function logOnOldPrimary({ bounds }: Case, state: State, write: Write, step: Step): void {
  const { old } = state.primary;
  if (!bounds.oldPrimaryLives || !old || write.kind !== 'renewal') return;
  const log = [...old.log, recordOf({ renewal: write.renewal, shown: write.shown })];
  const primary = { ...state.primary, old: { ...old, log } };
  step(
    `renewal ${write.renewal} is in the log of the old primary`,
    withSlot({ ...state, primary }, 'write', undefined),
  );
}

/** Writes that nobody counts on are seen and answered at once: one that is seen and not answered is an orphan. */
function finishWrite(the: Case, state: State, slot: Slot, step: Step): void {
  const write = state.reader[slot];
  if (!write) return;
  const { row } = state.primary;
  const isNewer = the.rules.readerDeletesNothingNewer && row.renewal > write.renewal;
  const after =
    write.kind === 'shown' ? { renewal: row.renewal, shown: write.shown } : isNewer ? row : NO_ROW;
  const changed = row.renewal === 0 ? state : withRow(state, after);
  // What was shown is written without waiting for any disk.
  const isKept = slot === 'write' && the.bounds.isSynchronous && write.kind !== 'shown';
  const kept = isKept ? keeping(changed, changed.primary.log.length) : changed;
  step(`${nameOf(write, slot)} is carried out`, withSlot(kept, slot, undefined));
}

/** A write goes on, unless there is nothing that it could still change. */
function withWrite({ rules }: Case, state: State, slot: Slot, write: Write): State {
  const isOver = slot === 'orphan' && write.phase === 'visible' && rules.onlyLastRenewalCounts;
  return withSlot(state, slot, isOver ? undefined : write);
}

function withSlot(state: State, slot: Slot, write: Write | undefined): State {
  return { ...state, reader: { ...state.reader, [slot]: write } };
}

function nameOf(write: Write, slot: Slot): string {
  const what =
    write.kind === 'renewal'
      ? `renewal ${write.renewal}`
      : write.kind === 'shown'
        ? `shown = ${write.shown}`
        : `the reader's deletion`;
  return slot === 'orphan' ? `${what} (given up)` : what;
}

/** Only where the rule is left out: P is read while the commit is on its way. */
function readPosition({ rules }: Case, state: State, step: Step): void {
  const { write } = state.reader;
  if (rules.positionIsReadAfterReturn || write?.phase !== 'logged' || write.position >= 0) return;
  const position = state.primary.log.length;
  step(`the reader reads P, ${position}`, withSlot(state, 'write', { ...write, position }));
}

function returnRenewal(the: Case, state: State, step: Step): void {
  for (const slot of ['write', 'orphan'] as const) {
    const write = state.reader[slot];
    if (write?.kind !== 'renewal') continue;
    if (write.phase === 'visible') answerRenewal(the, state, slot, step);
    if (write.phase !== 'returned') continue;
    for (const position of positionsToRead(the, state, write))
      step(
        `the reader reads P, ${position}, for renewal ${write.renewal}`,
        withCheck(the, withSlot(state, slot, undefined), { ...write, position }),
      );
  }
}

/** Positions of two logs do not compare. If the old primary's is read, the worst is assumed: that none beyond the fork is demanded. */
function positionsToRead({ rules, bounds }: Case, { primary }: State, write: Write): number[] {
  const here = write.position < 0 ? primary.log.length : write.position;
  const isElsewhere = primary.old && bounds.oldPrimaryLives && !rules.positionIsReadWhereCommitted;
  return isElsewhere ? [here, primary.old.fork] : [here];
}

function answerRenewal(the: Case, state: State, slot: Slot, step: Step): void {
  const { rules, bounds } = the;
  const write = state.reader[slot];
  if (!write) return;
  const age = rules.leaseRunsFrom === 'sending' ? write.age : 0;
  const isKept = rules.onlyReturnedRenewalsCount && bounds.isSynchronous;
  const kept = isKept ? keeping(state, write.at + 1) : state;
  const returned = { ...write, phase: 'returned' as const, age };
  // P grows until it is read, and demands more then: without a promotion it is enough to look at its being read at once.
  const isReadAtOnce = bounds.promotions === 0 && write.position < 0;
  const next = isReadAtOnce
    ? withCheck(the, withSlot(kept, slot, undefined), { ...returned, position: kept.primary.log.length })
    : withSlot(kept, slot, returned);
  step(`${nameOf(write, slot)} returns`, next);
}

function withCheck(the: Case, state: State, { renewal, position, age }: Check): State {
  const { reader } = state;
  const checks = [...reader.checks, { renewal, position, age }]
    .sort((one, other) => other.renewal - one.renewal)
    .slice(0, 2);
  const returned = Math.max(reader.returned, renewal);
  return { ...state, reader: { ...reader, checks: checksOfUse(the, checks, reader.reported), returned } };
}

/** Connections that have not shown the renewal are not used any more; only then is it reported. */
function reportShown(the: Case, state: State, step: Step): void {
  const { reader } = state;
  if (reader.write) return;
  for (const { renewal } of reader.checks) {
    if (renewal <= reader.reported) continue;
    const write = newWrite('shown', renewal, renewal);
    const checks = checksOfUse(the, reader.checks, renewal);
    const next = { ...state, reader: { ...reader, write, checks, reported: renewal, dropsBelow: renewal } };
    step(
      `the reader drops laggards and sends shown = ${renewal}`,
      the.rules.laggardsAreDroppedFirst ? withDropsDone(next) : next,
    );
  }
}

function withDropsDone(state: State): State {
  const { dropsBelow } = state.reader;
  return {
    ...state,
    connections: state.connections.map((connection) =>
      connection.accepted < dropsBelow
        ? { ...connection, accepted: 0, age: connection.isStale ? connection.age : 0 }
        : connection,
    ),
    reader: { ...state.reader, dropsBelow: 0 },
  };
}

/** The write may have been carried out, or is later, or never. */
function loseAnswer({ rules }: Case, state: State, step: Step): void {
  const { reader } = state;
  const { write, orphan } = reader;
  if (!write || orphan || state.left.losses === 0 || write.phase === 'returned') return;
  const isReused = !rules.numbersAreUsedOnce && write.kind === 'renewal';
  const isOver = write.phase === 'visible' && rules.onlyLastRenewalCounts;
  const next: Reader = {
    ...reader,
    write: undefined,
    orphan: isOver ? undefined : write,
    nextRenewal: isReused ? write.renewal : reader.nextRenewal,
  };
  step(`the reader gives up on ${nameOf(write, 'write')}`, {
    ...state,
    left: { ...state.left, losses: state.left.losses - 1 },
    reader: next,
  });
}

const ALL = 8;

function giveUp({ rules }: Case, state: State, step: Step): void {
  const { reader } = state;
  if (state.left.givingUps === 0 || reader.write || reader.nextRenewal === 1) return;
  const write = newWrite('deletion', reader.nextRenewal - 1, 0);
  const next: State = {
    ...state,
    left: { ...state.left, givingUps: state.left.givingUps - 1 },
    reader: { ...reader, write, checks: [], dropsBelow: ALL },
  };
  step(
    'the reader stops using the standby and sends the deletion of its row',
    rules.readerStopsBeforeDeleting ? withDropsDone(next) : next,
  );
}

/** Whether a connection that shows the check's renewal may be used by it. */
export function isUsableCheck({ rules, bounds }: Case, { renewal, age }: Check, reported: number): boolean {
  return age < bounds.leaseTicks && (renewal >= reported || !rules.olderThanReportedCountsNot);
}

/** Without those that can neither be used nor reported any more. */
export function checksOfUse(the: Case, checks: readonly Check[], reported: number): readonly Check[] {
  return checks.filter((check) => check.renewal > reported || isUsableCheck(the, check, reported));
}

export function isUsable({ bounds }: Case, connection: Connection): boolean {
  return connection.accepted > 0 && connection.age < bounds.leaseTicks;
}
