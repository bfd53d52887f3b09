import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisMoment } from '../../src/kernel/clock.ts';
import { keepLease, type LeaseOptions } from '../../src/standbys/keep-lease.ts';
import { createStandbyLink, type StandbyLink } from '../../src/standbys/standby-link.ts';
import type { Parameters } from '../../src/storage/database.ts';
import type { StandbyConnection } from '../../src/storage/postgres/standby-connection.ts';
import { type Statement, statement } from '../../src/storage/statement.ts';

const NODE = 'nod_reader';
const TIMELINE = '00000001';
const READ = statement('test_read_by_a_link', 'select 1');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  // Vitest leaves out the one of `node:timers/promises`.
  vi.spyOn(timersPromises, 'setTimeout').mockImplementation(
    (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value)),
  );
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** A connection to a standby that has seen all renewals, unless it is told otherwise. */
interface FakeConnection extends StandbyConnection {
  renewalSeen: number;
  hasReplayed: boolean;
  isStandby: boolean;
  /** What comes of the next statements: an answer, an error, or neither until `answer` is called. */
  mode: 'answers' | 'fails' | 'is silent';
  /** Answers what has been asked while it was silent. */
  answer(): void;
  reads: number;
  isClosed: boolean;
}

function fakeConnection(): FakeConnection {
  const unanswered: (() => void)[] = [];
  const connection: FakeConnection = {
    renewalSeen: Number.POSITIVE_INFINITY,
    hasReplayed: true,
    isStandby: true,
    mode: 'answers',
    reads: 0,
    isClosed: false,
    answer: () => {
      for (const go of unanswered.splice(0)) go();
    },
    async run<Row>({ name }: Statement, [, , renewal]: Parameters): Promise<Row[]> {
      if (name === READ.name) connection.reads += 1;
      if (connection.mode === 'fails') throw new Error('the connection is broken');
      if (connection.mode === 'is silent') await new Promise<void>((go) => unanswered.push(go));
      if (name === READ.name) return ['found' as Row];
      const { isStandby, hasReplayed } = connection;
      const hasRenewal = renewal === null || connection.renewalSeen >= Number(renewal);
      return [{ isStandby, hasReplayed, hasRenewal } as Row];
    },
    onEnd() {},
    close() {
      connection.isClosed = true;
    },
  };
  return connection;
}

/** A link whose connections are made one after the other; those that are not named are new ones. */
function fakeStandby(connectionsMax = 1) {
  const connections: FakeConnection[] = [];
  let refused = 0;
  const link = createStandbyLink({
    name: 'postgres://standby',
    connectionsMax,
    async connect() {
      if (connections.length >= connectionsMax - refused && connections.every(({ isClosed }) => !isClosed))
        throw new Error('no connection is left');
      const made = fakeConnection();
      connections.push(made);
      return made;
    },
  });
  return {
    link,
    connections,
    /** Only so many connections less can be opened from now on. */
    refuse: (count: number) => {
      refused = count;
    },
    at(index: number): FakeConnection {
      const connection = connections[index];
      if (!connection) throw new Error(`there is no connection ${index}`);
      return connection;
    },
    show: (renewal: number) => link.show({ nodeId: NODE, renewal, position: '0/1' }, thisMoment(), SHOW_MS),
    /** The connections that are read by now, of as many reads as there may be connections. */
    async readBy(): Promise<number[]> {
      const before = connections.map(({ reads }) => reads);
      await Promise.all(Array.from({ length: connectionsMax }, () => readOn(link)));
      return [...connections.keys()].filter((index) => connections[index]?.reads !== (before[index] ?? 0));
    },
  };
}

const SHOW_MS = 1_000;
/** A pause between two questions may end after it. */
const LAST_ASKED_MS = SHOW_MS + 20;
const HELD_MS = 1_500;
const readOn = (link: StandbyLink) => link.read((session) => session.run<string>(READ, []));

describe('a link to a standby', () => {
  it('gives an answer while its lease lasts, and none that arrives after it', async () => {
    const { link, at, show } = fakeStandby();
    await link.open();
    expect(await show(1)).toBe(true);
    at(0).mode = 'is silent';
    for (const [beganMs, tookMs, expected] of [
      [HELD_MS - 200, 199, ['found']],
      [HELD_MS - 200, 200, null],
    ] as const) {
      await show1(at(0), show);
      await vi.advanceTimersByTimeAsync(beganMs);
      const reading = readOn(link);
      await vi.advanceTimersByTimeAsync(tookMs);
      at(0).answer();
      expect(await reading).toEqual(expected);
    }
    expect(link.counts).toEqual({ used: 1, late: 1, failed: 0 });
    expect(await readOn(link)).toBe(null);
  });

  async function show1(connection: FakeConnection, show: (renewal: number) => Promise<boolean>) {
    connection.mode = 'answers';
    expect(await show(2)).toBe(true);
    connection.mode = 'is silent';
  }

  it('does not read by a connection that has not shown the renewal, but by another', async () => {
    const { link, at, show, readBy } = fakeStandby(2);
    await link.open();
    await show(1);
    expect(await readBy()).toEqual([0, 1]);
    at(1).renewalSeen = 1;
    const showing = show(2);
    await vi.advanceTimersByTimeAsync(LAST_ASKED_MS);
    expect([await showing, await readBy()]).toEqual([true, [0]]);
    at(1).renewalSeen = 3;
    at(0).hasReplayed = false;
    const again = show(3);
    await vi.advanceTimersByTimeAsync(LAST_ASKED_MS);
    expect([await again, await readBy()]).toEqual([true, [1]]);
  });

  it('counts its lease from before the renewal was sent, however long the standby took to show it', async () => {
    const { link, at, show } = fakeStandby();
    await link.open();
    at(0).hasReplayed = false;
    const showing = show(1);
    await vi.advanceTimersByTimeAsync(SHOW_MS - 100);
    at(0).hasReplayed = true;
    await vi.advanceTimersByTimeAsync(20);
    expect([await showing, link.mayBeRead()]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(HELD_MS - SHOW_MS + 79);
    expect(link.mayBeRead()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(link.mayBeRead()).toBe(false);
  });

  it('does not read by a connection that was opened since, until it has shown a renewal itself', async () => {
    const { link, connections, show, refuse, readBy } = fakeStandby(2);
    refuse(1);
    await link.open();
    await show(1);
    refuse(0);
    await link.open();
    await vi.advanceTimersByTimeAsync(0);
    expect(connections).toHaveLength(2);
    expect(await readBy()).toEqual([0]);
    await show(2);
    expect(await readBy()).toEqual([0, 1]);
  });

  it('gives up an answer that takes longer than a quarter of a second, and its connection until the next renewal', async () => {
    const { link, at, show } = fakeStandby();
    await link.open();
    await show(1);
    at(0).mode = 'is silent';
    const reading = readOn(link);
    await vi.advanceTimersByTimeAsync(249);
    expect(link.mayBeRead()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect([await reading, link.mayBeRead(), at(0).isClosed]).toEqual([null, false, false]);
    at(0).mode = 'answers';
    expect([await show(2), await readOn(link)]).toEqual([true, ['found']]);
    expect(link.counts).toEqual({ used: 1, late: 1, failed: 0 });
  });

  it('drops a connection on which a statement fails, and opens another one in its place', async () => {
    const { link, at, show } = fakeStandby();
    await link.open();
    await show(1);
    at(0).mode = 'fails';
    expect([await readOn(link), link.mayBeRead(), at(0).isClosed]).toEqual([null, false, true]);
    expect(link.counts).toEqual({ used: 0, late: 0, failed: 1 });
    await link.open();
    expect([await show(2), await readOn(link)]).toEqual([true, ['found']]);
  });

  it('drops a connection whose server has become a primary', async () => {
    const { link, at, show } = fakeStandby();
    await link.open();
    await show(1);
    at(0).isStandby = false;
    expect([await show(2), link.mayBeRead(), at(0).isClosed]).toEqual([false, false, true]);
  });

  it('stops reading at once, also where an answer is under way', async () => {
    const { link, at, show } = fakeStandby();
    await link.open();
    await show(1);
    at(0).mode = 'is silent';
    const reading = readOn(link);
    link.stopReading();
    at(0).answer();
    expect([await reading, link.mayBeRead(), await readOn(link)]).toEqual([null, false, null]);
  });

  it('ends its lease by the clock that says more, also where the wall clock steps', async () => {
    const { link, show } = fakeStandby();
    await link.open();
    await show(1);
    vi.setSystemTime(Date.now() + HELD_MS - 1);
    expect(link.mayBeRead()).toBe(true);
    vi.setSystemTime(Date.now() + 1);
    expect([link.mayBeRead(), await readOn(link)]).toEqual([false, null]);
    await show(2);
    await vi.advanceTimersByTimeAsync(HELD_MS - 1);
    expect(link.mayBeRead()).toBe(true);
    vi.setSystemTime(Date.now() - 10_000);
    await vi.advanceTimersByTimeAsync(1);
    expect(link.mayBeRead()).toBe(false);
  });
});

describe('the lease of a standby', () => {
  /** A primary that keeps one row, and tells of each write before it is done. */
  function fakePrimary(onWrite: (written: Written) => void | Promise<void> = () => {}) {
    const writes: Written[] = [];
    let ring = (): void => {};
    let failing = false;
    async function run({ name }: Statement, [, , ...values]: Parameters) {
      if (name === 'read_primary_position') return [{ position: '0/1', timeline: TIMELINE }];
      const what = WRITES[name];
      if (what === undefined) throw new Error(`no such statement: ${name}`);
      const [renewal, shown] = what === 'shown' ? [null, values[0]] : values;
      const written: Written = { what, renewal: asNumber(renewal), shown: asNumber(shown) };
      writes.push(written);
      await onWrite(written);
      if (failing) throw new Error('no answer came');
      return [{ timeline: TIMELINE }];
    }
    const listen = async (_channel: string, onNotification: () => void) => {
      ring = onNotification;
      return async () => {};
    };
    return {
      // The parts that a lease asks for.
      database: { run, listen } as unknown as LeaseOptions['database'],
      writes,
      renewals: () => writes.flatMap(({ what, renewal }) => (what === 'renewal' ? [Number(renewal)] : [])),
      /** Somebody ends access, and waits. */
      ring: () => ring(),
      fail(fails: boolean) {
        failing = fails;
      },
    };
  }

  interface Written {
    what: 'renewal' | 'shown' | 'gone';
    renewal: number | null;
    shown: number | null;
  }

  const WRITES: Readonly<Record<string, Written['what']>> = {
    renew_standby_lease: 'renewal',
    note_shown_on_standby: 'shown',
    give_up_standby_lease: 'gone',
  };
  const asNumber = (value: unknown) => (value === undefined || value === null ? null : Number(value));

  function kept(
    { database }: ReturnType<typeof fakePrimary>,
    standby: StandbyLink,
    refusal: LeaseOptions['refusal'] = async () => null,
  ) {
    const stop = keepLease({ database, nodeId: NODE, standby, refusal, onChange() {} });
    return { stop, state: standby.state };
  }

  /** Rounds of renewals in their time. */
  const rounds = (count: number) => vi.advanceTimersByTimeAsync(count * 500);

  it('is renewed with a number that was never used before, also after a write that got no answer', async () => {
    const { link } = fakeStandby();
    const primary = fakePrimary();
    const lease = kept(primary, link);
    await rounds(3);
    primary.fail(true);
    await rounds(2);
    primary.fail(false);
    await rounds(3);
    expect(link.mayBeRead()).toBe(true);
    await lease.stop();
    const numbers = primary.renewals();
    expect(numbers.length).toBeGreaterThan(6);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  });

  it('ends by itself while the primary does not answer', async () => {
    const { link } = fakeStandby();
    const primary = fakePrimary();
    const lease = kept(primary, link);
    await rounds(2);
    expect([link.mayBeRead(), lease.state().problem]).toEqual([true, null]);
    primary.fail(true);
    await vi.advanceTimersByTimeAsync(HELD_MS - 1);
    expect([link.mayBeRead(), lease.state().problem]).toEqual([true, null]);
    await vi.advanceTimersByTimeAsync(1);
    expect([link.mayBeRead(), lease.state().problem]).toEqual([false, 'no answer came']);
    await lease.stop();
  });

  it('is not begun before the standby keeps up', async () => {
    const { link, at } = fakeStandby();
    const primary = fakePrimary();
    await link.open();
    at(0).hasReplayed = false;
    const lease = kept(primary, link);
    await rounds(4);
    expect(primary.writes).toEqual([]);
    at(0).hasReplayed = true;
    await rounds(2);
    expect([link.mayBeRead(), primary.renewals().length > 0]).toEqual([true, true]);
    await lease.stop();
  });

  it('tells that a renewal was shown only when no connection is read by that has not shown it', async () => {
    const standby = fakeStandby(2);
    const told: { shown: number | null; seen: number[] }[] = [];
    const primary = fakePrimary(async ({ shown, what }) => {
      if (what === 'gone') return;
      const seen = (await standby.readBy()).map((index) => standby.at(index).renewalSeen);
      told.push({ shown, seen });
    });
    const lease = kept(primary, standby.link);
    await rounds(2);
    const last = primary.renewals().at(-1) ?? 0;
    standby.at(0).renewalSeen = 1_000;
    standby.at(1).renewalSeen = last;
    primary.ring();
    await vi.advanceTimersByTimeAsync(LAST_ASKED_MS);
    await rounds(2);
    const stopping = lease.stop();
    await rounds(3);
    await stopping;
    expect(told.filter(({ shown, seen }) => seen.some((renewal) => renewal < Number(shown)))).toEqual([]);
    // The other one was read by before that, and the one that follows since.
    expect(told).toContainEqual({
      shown: last - 1,
      seen: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    });
    expect(told).toContainEqual({ shown: last + 1, seen: [1_000] });
  });

  it('is told at once what the standby has shown when somebody waits, and with the next renewal else', async () => {
    const { link } = fakeStandby();
    const primary = fakePrimary();
    const lease = kept(primary, link);
    await rounds(3);
    expect(primary.writes.filter(({ what }) => what === 'shown')).toEqual([]);
    expect(primary.writes.at(-1)).toMatchObject({ what: 'renewal', renewal: 3, shown: 2 });
    primary.ring();
    await vi.advanceTimersByTimeAsync(0);
    expect(primary.writes.at(-1)).toMatchObject({ what: 'shown', shown: 4 });
    await lease.stop();
  });

  /** Whether the standby was read from when its row was deleted. */
  async function readAtTheEnd(end: (refuse: (why: string) => void) => Promise<void>): Promise<boolean[]> {
    const { link } = fakeStandby();
    const wasRead: boolean[] = [];
    const primary = fakePrimary(({ what }) => {
      if (what === 'gone') wasRead.push(link.mayBeRead());
    });
    let why: string | null = null;
    const lease = kept(primary, link, async () => why);
    await rounds(2);
    expect(link.mayBeRead()).toBe(true);
    await end((refusal) => {
      why = refusal;
    });
    const { length } = primary.writes;
    await rounds(2);
    expect([primary.writes.length, link.mayBeRead()]).toEqual([length, false]);
    await lease.stop();
    return wasRead;
  }

  it('is given up while an older node is live: reading stops first, and then its row goes', async () => {
    const wasRead = await readAtTheEnd(async (refuse) => {
      refuse('the node has an older build');
      await rounds(1);
    });
    expect(wasRead).toEqual([false]);
  });

  it('is not begun while an older node is live', async () => {
    const { link } = fakeStandby();
    const primary = fakePrimary();
    const lease = kept(primary, link, async () => 'the node has an older build');
    await rounds(3);
    expect([primary.writes, lease.state().problem]).toEqual([[], 'the node has an older build']);
    await lease.stop();
  });

  it('is given up when the node stops: reading stops first, and then its row goes', async () => {
    const { link } = fakeStandby();
    const wasRead: boolean[] = [];
    const primary = fakePrimary(({ what }) => {
      if (what === 'gone') wasRead.push(link.mayBeRead());
    });
    const lease = kept(primary, link);
    await rounds(2);
    expect(link.mayBeRead()).toBe(true);
    await lease.stop();
    expect(wasRead).toEqual([false]);
  });

  it('is given up when the standby lags behind, and begun again when it keeps up', async () => {
    const { link, at } = fakeStandby();
    const primary = fakePrimary();
    const lease = kept(primary, link);
    await rounds(2);
    at(0).hasReplayed = false;
    await rounds(4);
    expect(link.mayBeRead()).toBe(false);
    expect(primary.writes.at(-1)?.what).toBe('gone');
    at(0).hasReplayed = true;
    await rounds(2);
    expect([link.mayBeRead(), primary.writes.at(-1)?.what]).toEqual([true, 'renewal']);
    await lease.stop();
  });
});
