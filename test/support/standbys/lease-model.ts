import { clockEvents } from './clock.ts';
import { accessOf, enderEvents, isAcknowledged } from './ender.ts';
import type { Model } from './explore.ts';
import { keyOf } from './key.ts';
import { promote } from './primary.ts';
import { readerEvents } from './reader.ts';
import type { Case } from './rules.ts';
import { standbyEvents } from './standby.ts';
import { initialState, type State, showsEnd } from './state.ts';

/**
 * The protocol of `docs/decisions/0064-reading-from-standbys.md`, with every order of events. Where one order is the worst of many, it
 * stands for them:
 *
 * - A connection is asked and answers in one event. What it shows only grows until it ends, so an earlier answer proves no more.
 * - A read finds what the standby shows when it is sent. Later it could only have more.
 * - An ender's look at the rows and its answer are one event. An answer that came later would start the wait, or end it, later.
 * - P is read when the renewal returns, where there is no promotion. Later it could only demand more.
 * - Reads that began before the end was acknowledged are left out. They may find what they find.
 *
 * `goesOn` follows also states in which nothing can break any more.
 */
export function leaseModel(the: Case, goesOn = false): Model<State> {
  return {
    initial: initialState(the.bounds),
    keyOf: (state) => keyOf(the, state),
    follow(state, step) {
      if (state.isBroken || (!goesOn && (isSettled(the, state) || isOutOfUse(the, state)))) return;
      enderEvents(the, state, step);
      readerEvents(the, state, step);
      standbyEvents(the, state, step);
      promote(the, state, step);
      clockEvents(the, state, step);
    },
  };
}

/** Every standby shows all ends, for good. */
function isSettled(the: Case, state: State): boolean {
  const { enders, standbys, primary, left } = state;
  if (left.restarts > 0) return false;
  // A promotion does not lose what was acknowledged.
  if (left.promotions > 0 && !enders.every(isAcknowledged)) return false;
  return standbys.every((standby) =>
    enders.every((_ender, index) => showsEnd(standby, primary, accessOf(the, index))),
  );
}

/** No connection may be used, and no renewal is left that could change that. */
function isOutOfUse({ bounds }: Case, { connections, reader }: State): boolean {
  const { write, orphan, checks, nextRenewal } = reader;
  if (nextRenewal <= bounds.renewals || write?.kind === 'renewal' || orphan?.kind === 'renewal') return false;
  if (checks.some(({ age }) => age < bounds.leaseTicks)) return false;
  return connections.every(({ accepted, isStale }) => accepted === 0 && !isStale);
}
