import type { Environment } from '../../environments/environment.ts';
import type { EventId } from '../types.ts';
import { type DueEvent, findPending } from './store.ts';

/** Decides when an event may be sent for the first time. */
export interface FirstAttempts {
  /** Returns true if no failover undoes the event any more; what was sent before needs no proof. */
  mayBegin(event: DueEvent): boolean;
  /** Asks about events. What was answered before is forgotten. */
  ask(events: readonly DueEvent[]): Promise<void>;
}

/**
 * Nobody is told of what a failover may still undo, or has undone since the event was read; and where it announces an end of access,
 * no node reads otherwise any more.
 */
export function createFirstAttempts({ transaction, untilReadersSee }: Environment): FirstAttempts {
  let lasting: ReadonlySet<EventId> = new Set();
  return {
    mayBegin: ({ id, tries }) => tries > 0 || lasting.has(id),
    async ask(events) {
      const ids = events.map(({ id }) => id);
      // One commit is enough for any number.
      const pending = await transaction(({ session }) => findPending(session, ids), { waitsLater: true });
      await untilReadersSee();
      lasting = pending;
    },
  };
}
