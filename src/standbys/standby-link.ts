import { setTimeout as delay } from 'node:timers/promises';
import { type Moment, msSince } from '../kernel/clock.ts';
import type { ReadSession } from '../storage/database.ts';
import type { StandbyConnection } from '../storage/postgres/standby-connection.ts';
import { NoStandbyError, StorageUnavailableError } from '../storage/storage-error.ts';
import { SHOWS, type Shown } from './store.ts';
import { HELD_MS } from './terms.ts';

/** What a connection must show before it may be read by. */
export interface Asked {
  nodeId: string;
  /** Null where no lease is held yet, and the position alone is asked for. */
  renewal: number | null;
  position: string;
}

export interface StandbyReadCounts {
  /** Answers of the standby that were used. */
  used: number;
  /** Answers that came after the lease had run out, or not at all. */
  late: number;
  failed: number;
}

export interface LinkState {
  /** Why the standby is not read from; null while it is. */
  problem: string | null;
  /** The time from the last renewal's commit until the standby had shown it. */
  lagMs: number | null;
}

/** One standby, with the connections to it that this node may read by at the moment. */
export interface StandbyLink {
  /** Its address, without secrets. */
  readonly name: string;
  readonly counts: Readonly<StandbyReadCounts>;
  state(): LinkState;
  /** Called by who keeps its lease. */
  become(state: LinkState): void;
  /** Opens the connections that are missing. Throws if there is none then. */
  open(): Promise<void>;
  /**
   * Asks each connection until it shows this, or until the limit is over since that moment. Those that have shown it may be read by
   * from that moment on, and no others. Returns whether there is one.
   */
  show(asked: Asked, since: Moment, limitMs: number): Promise<boolean>;
  /** As `show` for a position alone; allows no reading. */
  hasReplayed(asked: Asked, since: Moment, limitMs: number): Promise<boolean>;
  stopReading(): void;
  mayBeRead(): boolean;
  /** Runs the work on a connection that may be read by. Null if there is none, or if that is over before the answer is here. */
  read<Result>(work: (session: ReadSession) => Promise<Result>): Promise<Result | null>;
  close(): void;
}

export interface LinkOptions {
  name: string;
  connectionsMax: number;
  connect(): Promise<StandbyConnection>;
}

/** A connection, and the beginning of the renewal that it has shown; null while it may not be read by. */
interface Line {
  connection: StandbyConnection;
  heldSince: Moment | null;
  inFlight: number;
}

/** A standby that is slower than this is left out: the primary answers sooner. */
const READ_MS_MAX = 250;
const ASK_AGAIN_MS = { least: 2, most: 20 };
/** The first connection may be the one that hangs. */
const LEAD_MS_MAX = 50;

export function createStandbyLink({ name, connectionsMax, connect }: LinkOptions): StandbyLink {
  const lines = new Set<Line>();
  const counts: StandbyReadCounts = { used: 0, late: 0, failed: 0 };
  let state: LinkState = { problem: 'no lease has been asked for', lagMs: null };
  /** Of any line: each request asks. */
  let heldSince: Moment | null = null;
  let opening: Promise<void> | null = null;
  let isClosed = false;

  async function openLine(): Promise<void> {
    const connection = await connect();
    const line: Line = { connection, heldSince: null, inFlight: 0 };
    connection.onEnd(() => drop(line));
    if (isClosed) return connection.close();
    lines.add(line);
  }

  async function openMissing(): Promise<void> {
    const missing = Array.from({ length: connectionsMax - lines.size }, openLine);
    const failed = (await Promise.allSettled(missing)).find(({ status }) => status === 'rejected');
    if (lines.size === 0 && failed?.status === 'rejected') throw failed.reason;
  }

  function letGo(line: Line): void {
    line.heldSince = null;
    if (freest() === null) heldSince = null;
  }

  function drop(line: Line): void {
    letGo(line);
    if (lines.delete(line)) line.connection.close();
  }

  /** True if the line shows it in time. A line that does not answer, or that leads elsewhere now, is dropped. */
  async function showsInTime(line: Line, asked: Asked, since: Moment, limitMs: number): Promise<boolean> {
    const parameters = [asked.nodeId, name, asked.renewal, asked.position];
    try {
      for (let pauseMs = ASK_AGAIN_MS.least; ; pauseMs = Math.min(2 * pauseMs, ASK_AGAIN_MS.most)) {
        const leftMs = limitMs - msSince(since);
        if (leftMs <= 0) return false;
        const [shown] = await inTime(leftMs, line.connection.run<Shown>(SHOWS, parameters));
        if (!shown?.isStandby) throw new NoStandbyError();
        if (shown.hasReplayed && shown.hasRenewal) return true;
        await delay(pauseMs);
      }
    } catch {
      drop(line);
      return false;
    }
  }

  /** Most often all lead to one server: one of them asks again and again, and the others once when it has shown it. */
  async function askAll(asked: Asked, since: Moment, limitMs: number) {
    const ask = async (line: Line) => ({ line, shows: await showsInTime(line, asked, since, limitMs) });
    const [first, ...others] = lines;
    if (!first) return [];
    const leading = ask(first);
    await Promise.race([leading, delay(LEAD_MS_MAX)]);
    return Promise.all([leading, ...others.map(ask)]);
  }

  /** Also of a line that was dropped meanwhile. */
  const mayBeReadBy = ({ heldSince }: Pick<Line, 'heldSince'>): boolean =>
    heldSince !== null && msSince(heldSince) < HELD_MS;

  function freest(): Line | null {
    let found: Line | null = null;
    for (const line of lines)
      if (mayBeReadBy(line) && (found === null || line.inFlight < found.inFlight)) found = line;
    return found;
  }

  return {
    name,
    counts,
    state: () => state,
    become(next) {
      state = next;
    },
    async open() {
      if (lines.size === connectionsMax) return;
      opening ??= openMissing().finally(() => {
        opening = null;
      });
      // The lines that there are need not wait for others.
      if (lines.size === 0) return opening;
      opening.catch(() => {});
    },
    async show(asked, since, limitMs) {
      for (const { line, shows } of await askAll(asked, since, limitMs))
        line.heldSince = shows && lines.has(line) ? since : null;
      const isHeld = freest() !== null;
      heldSince = isHeld ? since : null;
      return isHeld;
    },
    hasReplayed: async (asked, since, limitMs) =>
      (await askAll(asked, since, limitMs)).some(({ shows }) => shows),
    stopReading() {
      heldSince = null;
      for (const line of lines) line.heldSince = null;
    },
    mayBeRead: () => mayBeReadBy({ heldSince }),
    async read(work) {
      const line = freest();
      if (line === null) return null;
      line.inFlight += 1;
      try {
        const result = await inTime(READ_MS_MAX, work(line.connection));
        // Not when it was sent: the lease counts until the answer is used.
        const isInTime = mayBeReadBy(line);
        counts[isInTime ? 'used' : 'late'] += 1;
        return isInTime ? result : null;
      } catch (error) {
        if (error instanceof LateError) {
          counts.late += 1;
          letGo(line);
        } else {
          counts.failed += 1;
          drop(line);
        }
        return null;
      } finally {
        line.inFlight -= 1;
      }
    },
    close() {
      isClosed = true;
      for (const line of lines) drop(line);
    },
  };
}

class LateError extends StorageUnavailableError {
  override readonly name = 'LateError';
}

/** Rejects if the work takes longer; what comes of it later is dropped. */
async function inTime<Result>(limitMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError('the standby does not answer in time')), limitMs);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
