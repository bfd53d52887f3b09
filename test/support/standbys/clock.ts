import type { Step } from './primary.ts';
import { checksOfUse } from './reader.ts';
import type { Case } from './rules.ts';
import type { Check, Connection, Ender, State, Write } from './state.ts';

/** Time passes on both clocks, or only on the ender's: the reader's is slower by as much as the bounds say. */
export function clockEvents(the: Case, state: State, step: Step): void {
  const { missedTickIn } = the.bounds;
  if (!the.bounds.timePasses || !isTimed(the, state)) return;
  const older = withOlderEnders(the, state);
  const sinceMissed = Math.min(state.sinceMissed + 1, Math.max(missedTickIn - 1, 0));
  step('a tick', { ...withOlderReader(the, older), sinceMissed });
  if (missedTickIn > 0 && state.sinceMissed === missedTickIn - 1)
    step('a tick that the reader misses', { ...older, sinceMissed: 0 });
}

/** Whether anything depends on what time it is. */
function isTimed({ rules, bounds }: Case, { reader, connections, enders }: State): boolean {
  return (
    bounds.missedTickIn > 0 ||
    !bounds.isSynchronous ||
    reader.write?.kind === 'renewal' ||
    reader.orphan?.kind === 'renewal' ||
    reader.checks.length > 0 ||
    connections.some(({ accepted, isStale }) => accepted > 0 || isStale) ||
    enders.some(({ phase }) => UNDER_WAY[rules.waitRunsFrom].includes(phase))
  );
}

const UNDER_WAY: Readonly<Record<Case['rules']['waitRunsFrom'], readonly Ender['phase'][]>> = {
  reading: ['waiting'],
  return: ['returned', 'waiting'],
  sending: ['sent', 'logged', 'visible', 'returned', 'waiting'],
};

function withOlderEnders({ rules, bounds }: Case, state: State): State {
  const { waitTicks } = bounds;
  const phases = UNDER_WAY[rules.waitRunsFrom];
  const enders = state.enders.map((ender) =>
    phases.includes(ender.phase) && ender.age < waitTicks ? { ...ender, age: ender.age + 1 } : ender,
  );
  const isPromoted = state.primary.old && !bounds.isSynchronous;
  const sincePromotion = isPromoted ? Math.min(state.sincePromotion + 1, waitTicks) : 0;
  return { ...state, enders, sincePromotion };
}

function withOlderReader(the: Case, state: State): State {
  const { leaseTicks } = the.bounds;
  const { reader } = state;
  const older = <Part extends Write | Check>(part: Part): Part =>
    part.age < leaseTicks ? { ...part, age: part.age + 1 } : part;
  const olderWrite = (write: Write | undefined): Write | undefined =>
    write?.kind === 'renewal' ? older(write) : write;
  return {
    ...state,
    connections: state.connections.map((connection) => olderConnection(the, connection)),
    reader: {
      ...reader,
      write: olderWrite(reader.write),
      orphan: olderWrite(reader.orphan),
      checks:
        the.rules.leaseRunsFrom === 'showing'
          ? reader.checks
          : checksOfUse(the, reader.checks.map(older), reader.reported),
    },
  };
}

/** A connection whose time is over is one that may not be used, unless a rule is left out. */
function olderConnection({ rules, bounds }: Case, connection: Connection): Connection {
  const age = connection.age + 1;
  if (connection.age >= bounds.leaseTicks || (connection.accepted === 0 && !connection.isStale))
    return connection;
  const isOver = age >= bounds.leaseTicks && rules.timeIsCheckedWhenSent && !connection.isStale;
  return isOver ? { ...connection, accepted: 0, age: 0 } : { ...connection, age };
}
