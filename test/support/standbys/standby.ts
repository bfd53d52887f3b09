import { accessOf, isAcknowledged } from './ender.ts';
import type { Step } from './primary.ts';
import { isUsable, isUsableCheck } from './reader.ts';
import type { Case } from './rules.ts';
import { type Check, type Connection, logOf, rowIn, type Standby, type State, showsEnd } from './state.ts';

/** What may happen on the standbys, and on the reader's connections to them. */
export function standbyEvents(the: Case, state: State, step: Step): void {
  for (const [index, standby] of state.standbys.entries()) {
    replay(state, index, standby, step);
    restart(state, index, standby, step);
  }
  for (const [index, connection] of state.connections.entries()) {
    if (connection.server < 0) open(the, state, index, step);
    else useConnection(the, state, index, connection, step);
  }
}

function replay(state: State, index: number, standby: Standby, step: Step): void {
  const { primary } = state;
  const { position } = standby;
  const next = (hasDiverged: boolean): State =>
    withStandby(state, index, { position: position + 1, hasDiverged });
  if (position < logOf(standby, primary).length)
    step(`standby ${index} replays record ${position + 1}`, next(standby.hasDiverged));
  if (!standby.hasDiverged && primary.old?.fork === position && position < primary.old.log.length)
    step(`standby ${index} replays record ${position + 1} of the old log`, next(true));
}

/** It may show an earlier state from then on, also one before the fork: as after a rewind. */
function restart(state: State, index: number, standby: Standby, step: Step): void {
  if (state.left.restarts === 0) return;
  const fork = state.primary.old?.fork ?? 0;
  for (let position = 0; position <= standby.position; position++) {
    const hasDiverged = standby.hasDiverged && position > fork;
    const restarted = withStandby(state, index, { position, hasDiverged });
    step(`standby ${index} restarts with ${position} records`, {
      ...restarted,
      left: { ...state.left, restarts: state.left.restarts - 1 },
      connections: state.connections.map((connection) =>
        connection.server === index ? { server: -1, accepted: 0, age: 0, isStale: false } : connection,
      ),
    });
  }
}

function open({ rules }: Case, state: State, index: number, step: Step): void {
  const { reader } = state;
  const lease = reader.checks.find(({ renewal }) => renewal <= reader.reported);
  for (const server of state.standbys.keys()) {
    const opened = { server, accepted: 0, age: 0, isStale: false };
    const connection =
      rules.newConnectionsShow || !lease ? opened : { ...opened, accepted: lease.renewal, age: lease.age };
    step(`a connection to standby ${server} is opened`, withConnection(state, index, connection));
  }
}

function useConnection(the: Case, state: State, index: number, connection: Connection, step: Step): void {
  const { rules, bounds } = the;
  if (connection.isStale) {
    if (!rules.timeIsCheckedWhenArrived || connection.age < bounds.leaseTicks)
      step('the answer arrives and is used', { ...state, isBroken: true });
    // Answers come in order, so no later question of this connection is answered before.
    return;
  }
  for (const check of state.reader.checks)
    if (
      isUsableCheck(the, check, state.reader.reported) &&
      connection.accepted < check.renewal &&
      hasShown(the, state, connection, check)
    )
      step(
        `a connection to standby ${connection.server} shows renewal ${check.renewal}`,
        accepted(the, state, index, check),
      );
  const isSent = rules.timeIsCheckedWhenSent ? isUsable(the, connection) : connection.accepted > 0;
  if (isSent && findsEndedAccess(the, state, connection))
    step(
      `a read on a connection to standby ${connection.server} finds the access alive`,
      withConnection(state, index, { ...connection, isStale: true }),
    );
}

/** Whether it shows the check's renewal or a later one, and has replayed P. */
function hasShown(
  { rules }: Case,
  { primary, standbys, reader }: State,
  { server }: Connection,
  check: Check,
): boolean {
  const standby = standbys[server];
  if (!standby) return false;
  const { renewal } = rowIn(logOf(standby, primary), standby.position);
  if (renewal < check.renewal) return false;
  if (rules.shownRenewalHasReturned && renewal > reader.returned) return false;
  // Positions of two logs do not compare: the old log's may always be the higher.
  return standby.hasDiverged || !rules.positionIsReplayed || standby.position >= check.position;
}

function accepted({ rules }: Case, state: State, index: number, check: Check): State {
  const { renewal } = check;
  const age = rules.leaseRunsFrom === 'showing' ? 0 : check.age;
  const connections = state.connections.map((connection, at) => {
    const isMeant = at === index || (!rules.eachConnectionShows && connection.server >= 0);
    return isMeant && connection.accepted < renewal ? { ...connection, accepted: renewal, age } : connection;
  });
  return { ...state, connections };
}

/** Whether an end was acknowledged that the connection does not show. Reads before that are free to find what they find. */
function findsEndedAccess(the: Case, state: State, { server }: Connection): boolean {
  const standby = state.standbys[server];
  return state.enders.some(
    (ender, index) =>
      isAcknowledged(ender) && standby && !showsEnd(standby, state.primary, accessOf(the, index)),
  );
}

function withStandby(state: State, index: number, standby: Standby): State {
  return { ...state, standbys: state.standbys.with(index, standby) };
}

function withConnection(state: State, index: number, connection: Connection): State {
  return { ...state, connections: state.connections.with(index, connection) };
}
