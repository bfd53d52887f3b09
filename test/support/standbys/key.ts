import { accessOf } from './ender.ts';
import type { Case } from './rules.ts';
import {
  type Connection,
  type Ender,
  endOf,
  type LogRecord,
  logOf,
  type Reader,
  recordOf,
  rowIn,
  type Standby,
  type State,
  type Write,
} from './state.ts';

const WRITE_KINDS = ['renewal', 'shown', 'deletion'] as const;
const WRITE_PHASES = ['sent', 'logged', 'visible', 'returned'] as const;
const ENDER_PHASES = [
  'sent',
  'logged',
  'visible',
  'returned',
  'waiting',
  'joined',
  'acknowledged',
  'expired',
] as const;

/**
 * All of a state that what follows can depend on, in a short text. The order of records that were replayed for good makes no
 * difference any more, and the fewer states are told apart, the fewer there are. All numbers are below 256: such a text is kept in
 * half the memory.
 */
export function keyOf(the: Case, state: State): string {
  const numbers = [
    recordOf(state.primary.row),
    state.left.restarts,
    state.left.promotions,
    state.left.losses,
    state.left.givingUps,
    state.sinceMissed,
    state.sincePromotion,
    Number(state.isBroken),
  ];
  for (const ender of state.enders) addEnder(numbers, ender);
  addReader(the, numbers, state.reader);
  if (state.left.restarts > 0 || state.left.promotions > 0) addHistory(the, numbers, state);
  else for (const standby of state.standbys) addFuture(the, numbers, state, standby);
  addConnections(numbers, state.connections);
  return String.fromCharCode(...numbers);
}

/** The log with all that a restart or a promotion may go back to. */
function addHistory(the: Case, numbers: number[], { primary, standbys, reader, left }: State): void {
  const kept = left.promotions > 0 ? primary.keptLength : primary.log.length;
  const past = left.restarts > 0 ? 0 : Math.min(kept, ...standbys.map(({ position }) => position));
  numbers.push(recordOf(rowIn(primary.log, past)));
  addEnds(the, numbers, primary.log, past);
  addRecords(numbers, primary.log, past);
  numbers.push(kept - past, primary.old ? primary.old.fork + 1 : 0);
  if (primary.old) addRecords(numbers, primary.old.log, 0);
  for (const { position, hasDiverged } of standbys) numbers.push((position - past) * 2 + Number(hasDiverged));
  addPositions(numbers, reader, past);
  for (const write of [reader.write, reader.orphan]) numbers.push(write ? Math.max(write.at - past, 0) : 0);
}

/** The log as one standby sees it, that can only go on. */
function addFuture(the: Case, numbers: number[], { primary, reader }: State, standby: Standby): void {
  const { position, hasDiverged } = standby;
  const { old } = primary;
  const log = logOf(standby, primary);
  numbers.push(rowIn(log, position).renewal);
  addEnds(the, numbers, log, position);
  addRecords(numbers, log, position);
  numbers.push(Number(hasDiverged));
  addPositions(numbers, reader, hasDiverged ? Number.POSITIVE_INFINITY : position);
  if (old && !hasDiverged && position <= old.fork) {
    numbers.push(old.fork - position + 1);
    addRecords(numbers, old.log, old.fork);
  } else numbers.push(0);
  if (old && the.bounds.oldPrimaryLives) numbers.push(recordOf(rowIn(old.log)));
}

/** Which ends are among the first records of a log. */
function addEnds(the: Case, numbers: number[], log: readonly LogRecord[], length: number): void {
  for (const index of the.bounds.enders.keys()) {
    const at = log.indexOf(endOf(accessOf(the, index)));
    numbers.push(Number(at >= 0 && at < length));
  }
}

function addRecords(numbers: number[], log: readonly LogRecord[], from: number): void {
  numbers.push(log.length - from);
  for (let at = from; at < log.length; at++) numbers.push(log[at] ?? 0);
}

/** The positions that are waited for. */
function addPositions(numbers: number[], { checks, write }: Reader, past: number): void {
  for (const { position } of checks) numbers.push(Math.max(position - past, 0));
  if (write && write.position >= 0) numbers.push(Math.max(write.position - past, 0) + 1);
}

function addReader({ rules }: Case, numbers: number[], reader: Reader): void {
  numbers.push(reader.nextRenewal, reader.reported, reader.dropsBelow, reader.checks.length);
  if (rules.shownRenewalHasReturned) numbers.push(reader.returned);
  for (const { renewal, age } of reader.checks) numbers.push(renewal * 8 + age);
  addWrite(numbers, reader.write);
  addWrite(numbers, reader.orphan);
}

function addEnder(numbers: number[], ender: Ender): void {
  numbers.push(ENDER_PHASES.indexOf(ender.phase), (ender.seen + 1) * 8 + ender.age);
}

function addWrite(numbers: number[], write: Write | undefined): void {
  if (!write) {
    numbers.push(0);
    return;
  }
  const kind = WRITE_KINDS.indexOf(write.kind) * 4 + WRITE_PHASES.indexOf(write.phase) + 1;
  const isRead = write.position >= 0;
  numbers.push(kind * 2 + Number(isRead), write.renewal * 8 + write.shown, write.age);
}

/** Connections to the same server are alike: which of them is which makes no difference. */
function addConnections(numbers: number[], connections: readonly Connection[]): void {
  const codes = connections.map(
    ({ server, accepted, age, isStale }) => (((server + 1) * 4 + accepted) * 8 + age) * 2 + Number(isStale),
  );
  numbers.push(...codes.sort((one, other) => one - other));
}
