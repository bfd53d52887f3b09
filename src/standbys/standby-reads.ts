import { batchQueries } from '../storage/batch-queries.ts';
import type { Connections, ReadSession } from '../storage/database.ts';
import type { StandbyLink } from './standby-link.ts';

/**
 * Looks a key up on a standby. Null where that is not enough, so that the primary must be asked: none can be read from, or
 * `accept` makes nothing of what was found.
 */
export type StandbyLookUp<Key, Found> = <Accepted>(
  key: Key,
  accept: (found: Found) => Accepted | null,
) => Promise<Accepted | null>;

export interface LookUpOptions<Key, Found> {
  connections: Connections;
  run(session: ReadSession, keys: readonly Key[]): Promise<readonly Found[]>;
  sizeMax?: number;
}

export interface FallbackCounts {
  /** Look-ups for which no standby could be read from, or did not answer in its time. */
  unread: number;
  /** Refusals that a standby's answer would have made, and that the primary was asked about. */
  confirmed: number;
}

/** The standbys that this node reads tokens from, in turn. */
export interface StandbyReads {
  readonly links: readonly StandbyLink[];
  readonly counts: Readonly<FallbackCounts>;
  mayBeRead(): boolean;
  /** Null if none can be read from, or if that ended meanwhile. */
  read<Result>(work: (session: ReadSession) => Promise<Result>): Promise<Result | null>;
  /** Counts look-ups that end on the primary. */
  noteFallbacks(reason: keyof FallbackCounts, lookUps: number): void;
  /** Look-ups that arrive together are one statement. */
  lookUpBy<Key, Found>(options: LookUpOptions<Key, Found>): StandbyLookUp<Key, Found>;
}

export function createStandbyReads(links: readonly StandbyLink[]): StandbyReads {
  const counts: FallbackCounts = { unread: 0, confirmed: 0 };
  let turn = 0;

  const mayBeRead = (): boolean => links.some((link) => link.mayBeRead());

  /** One that fails while it is asked has taken its time already: the primary is next, and not another standby. */
  function read<Result>(work: (session: ReadSession) => Promise<Result>): Promise<Result | null> {
    turn += 1;
    const inTurn = links.map((_, index) => links[(turn + index) % links.length]);
    return inTurn.find((link) => link?.mayBeRead())?.read(work) ?? Promise.resolve(null);
  }

  function noteFallbacks(reason: keyof FallbackCounts, lookUps: number): void {
    counts[reason] += lookUps;
  }

  return {
    links,
    counts,
    mayBeRead,
    read,
    noteFallbacks,
    lookUpBy: <Key, Found>({ connections, run, ...options }: LookUpOptions<Key, Found>) =>
      links.length === 0
        ? async () => null
        : createLookUp<Key, Found>(
            batchQueries<Key, Answer<Found>>(
              { connections },
              { ...options, kind: 'reads', run: (keys) => answersTo(keys, run) },
            ),
          ),
  };

  async function answersTo<Key, Found>(
    keys: readonly Key[],
    run: LookUpOptions<Key, Found>['run'],
  ): Promise<Answer<Found>[]> {
    const all = await read((session) => run(session, keys));
    return all?.map((found) => ({ found })) ?? keys.map(() => null);
  }

  function createLookUp<Key, Found>(find: (key: Key) => Promise<Answer<Found>>): StandbyLookUp<Key, Found> {
    return async (key, accept) => {
      // Where none can be read from, nothing is gathered in vain.
      const answer = mayBeRead() ? await find(key) : null;
      if (answer === null) {
        noteFallbacks('unread', 1);
        return null;
      }
      const accepted = accept(answer.found);
      if (accepted === null) noteFallbacks('confirmed', 1);
      return accepted;
    };
  }
}

/** Null: no standby has answered. */
type Answer<Found> = { found: Found } | null;
