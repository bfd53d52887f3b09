import type { Case } from './rules.ts';
import { type Row, recordOf, rowIn, type State, type Write } from './state.ts';

export type Step = (event: string, after: State) => void;

/** Whether a commit holds the lock of the row: its record is in the log, and nobody sees it yet. */
export function rowIsLocked({ reader }: State): boolean {
  return reader.write?.phase === 'logged' || reader.orphan?.phase === 'logged';
}

/** With the row's new state in the log, and not yet visible. */
export function withRecord(state: State, row: Row): State {
  const { primary } = state;
  return { ...state, primary: { ...primary, log: [...primary.log, recordOf(row)] } };
}

/**
 * With the row's new state in the log and visible. What changes nothing that a standby is asked for is in the log only where a
 * promotion could lose it.
 */
export function withRow(state: State, row: Row): State {
  const isLogged = state.left.promotions > 0 || row.renewal !== state.primary.row.renewal;
  const logged = isLogged ? withRecord(state, row) : state;
  return { ...logged, primary: { ...logged.primary, row } };
}

/** A promotion does not lose the records up to here. */
export function keeping(state: State, length: number): State {
  if (state.left.promotions === 0 || length <= state.primary.keptLength) return state;
  return { ...state, primary: { ...state.primary, keptLength: length } };
}

/** The synchronous standby is promoted. It has all that returned, and any part of the rest. */
export function promote(the: Case, state: State, step: Step): void {
  if (state.left.promotions === 0) return;
  const { log, keptLength } = state.primary;
  for (let fork = keptLength; fork <= log.length; fork++)
    step(`a standby is promoted that has ${fork} of ${log.length} records`, promotedAt(the, state, fork));
}

function promotedAt({ rules }: Case, state: State, fork: number): State {
  const { reader } = state;
  const { write } = reader;
  const isReused = !rules.numbersAreUsedOnce && write?.kind === 'renewal' && !afterPromotion(write);
  const log = state.primary.log.slice(0, fork);
  const old = { log: state.primary.log, fork };
  return {
    ...state,
    left: { ...state.left, promotions: state.left.promotions - 1 },
    primary: { log, keptLength: 0, row: rowIn(log), old },
    standbys: state.standbys.map(({ position }) => ({ position, hasDiverged: position > fork })),
    reader: {
      ...reader,
      nextRenewal: isReused ? write.renewal : reader.nextRenewal,
      write: afterPromotion(reader.write),
      orphan: afterPromotion(reader.orphan),
      // Positions of two logs do not compare. The worst is assumed: all that is beyond the fork counts as high enough.
      checks: reader.checks.map((check) => ({ ...check, position: Math.min(check.position, fork) })),
    },
    enders: state.enders.map((ender, index) => {
      if (ender.phase !== 'logged' && ender.phase !== 'visible') return ender;
      return { ...ender, phase: log.includes(index + 1) ? 'returned' : 'sent' };
    }),
  };
}

/** What was not carried out yet may reach the new primary. Of the rest the reader never learns. */
function afterPromotion(write: Write | undefined): Write | undefined {
  return write?.phase === 'sent' || write?.phase === 'returned' ? write : undefined;
}
