import { createBell } from '../kernel/wait.ts';
import type { Database, Session } from '../storage/database.ts';
import { deleteUnrenewed, type Lease, type LeasesNow, readLeases } from './store.ts';
import { READERS_CHANNEL, WAIT_MS_MAX } from './terms.ts';

/** How ends of access have waited for readers, since the start. */
export interface WaitCounts {
  /** Waits of any length for at least one reader. Those that came together are one. */
  waits: number;
  /** Waits that ended by the time and not by the reader's answer. */
  timedOut: number;
  /** The time of all of them together. */
  waitedMs: number;
}

export interface ReadersWait {
  /**
   * Waits until no node can read from a standby what was true before this moment. Called after a commit that ends access has
   * returned, and by who found access ended, before that is told to anybody.
   */
  (): Promise<void>;
  readonly counts: Readonly<WaitCounts>;
}

/** Those who came before the same reading of leases, and what they still wait for. */
interface Group {
  waiters: readonly Waiter[];
  hadReaders: boolean;
  /** As they were read. */
  leases: Map<string, Lease>;
  /** On a new timeline some leases may be missing: see docs/decisions/0064. */
  notBeforeMs: number;
  readAtMs: number;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

const LOOK_AGAIN_MS = { least: 2, most: 25 };

/** One reading of the leases serves everybody who came before it, and tells those who wait already how far readers are. */
export function createReadersWait(session: Session & Pick<Database, 'engine'>): ReadersWait {
  const counts: WaitCounts = { waits: 0, timedOut: 0, waitedMs: 0 };
  // The embedded database has no standbys.
  if (session.engine === 'pglite') return Object.assign(async () => {}, { counts });
  const bell = createBell();
  const groups = new Set<Group>();
  const timeline = watchTimeline();
  const arriving: Waiter[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    let pauseMs = LOOK_AGAIN_MS.least;
    while (arriving.length > 0 || groups.size > 0) {
      // Nobody joins a reading that was sent before: it may be older than the commit.
      const joining = arriving.splice(0);
      await look(joining);
      if (joining.length > 0) pauseMs = LOOK_AGAIN_MS.least;
      if (groups.size > 0 && (await bell.wait(pauseMs)) === false)
        pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_MS.most);
    }
    isRunning = false;
  }

  async function look(joining: readonly Waiter[]): Promise<void> {
    let now: LeasesNow;
    try {
      now = await readLeases(session);
    } catch (error) {
      for (const { reject } of joining) reject(error);
      return endDone();
    }
    const leases = byReader(now.leases);
    for (const group of groups) forgetAnswered(group, leases);
    if (joining.length > 0) begin(joining, leases, timeline.newUntilMs(now.timeline));
    endDone();
  }

  function begin(waiters: readonly Waiter[], leases: Map<string, Lease>, notBeforeMs: number): void {
    const hadReaders = leases.size > 0;
    groups.add({ waiters, leases: new Map(leases), hadReaders, notBeforeMs, readAtMs: performance.now() });
    if (!hadReaders) return;
    counts.waits += 1;
    // Only a hint: readers renew their leases anyway.
    session.notify(READERS_CHANNEL, '').catch(() => {});
  }

  function endDone(): void {
    const nowMs = performance.now();
    for (const group of groups) {
      const isTimeOver = nowMs - group.readAtMs >= WAIT_MS_MAX;
      if ((group.leases.size > 0 && !isTimeOver) || nowMs < group.notBeforeMs) continue;
      groups.delete(group);
      end(group, nowMs);
    }
  }

  function end({ waiters, leases, readAtMs, hadReaders }: Group, nowMs: number): void {
    for (const { resolve } of waiters) resolve();
    if (hadReaders) counts.waitedMs += nowMs - readAtMs;
    if (leases.size > 0) counts.timedOut += 1;
    // Whoever comes next need not wait for them. One that was renewed meanwhile stays.
    for (const lease of leases.values()) deleteUnrenewed(session, lease).catch(() => {});
  }

  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      arriving.push({ resolve, reject });
      bell.ring();
      if (!isRunning) void run();
    });
  return Object.assign(wait, { counts });
}

/** A reader is waited for no more when it has given up, or when its standby has shown a renewal later than the one that was read. */
function forgetAnswered({ leases: waitedFor }: Group, now: ReadonlyMap<string, Lease>): void {
  for (const [key, { renewal }] of waitedFor) {
    const lease = now.get(key);
    if (!lease || lease.shown > renewal) waitedFor.delete(key);
  }
}

function byReader(leases: readonly Lease[]): Map<string, Lease> {
  return new Map(leases.map((lease) => [`${lease.nodeId} ${lease.standby}`, lease]));
}

/** A promotion without a synchronous standby may lose leases, but not for longer than they last. */
function watchTimeline() {
  let known = '';
  let newUntilMs = 0;
  return {
    /** Until when a timeline counts as new. The first one that a process sees does not. */
    newUntilMs(timeline: string): number {
      if (known !== '' && timeline !== known) newUntilMs = performance.now() + WAIT_MS_MAX;
      known = timeline;
      return newUntilMs;
    },
  };
}
