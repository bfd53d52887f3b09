import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresWay, type PostgresWay } from '../wire/postgres-way.ts';
import { backUpInto, follow } from './base-backup.ts';
import { createInstance, initialise, type PostgresInstance } from './postgres-instance.ts';
import { until } from './until.ts';

/** A place for a standby. Readers reach what is in it by its ways; the standby reaches the primary by its link. */
export interface StandbySlot {
  readonly name: 'x' | 'y';
  /** Null while a new one is made. */
  standby: PostgresInstance | null;
  readonly link: PostgresWay;
  /** To the standby, one for each reader. */
  readonly ways: PostgresWay[];
}

/** A primary with two standbys, one of them synchronous. */
export interface Cluster {
  readonly primary: PostgresInstance;
  /** Whose standby commits wait for. */
  readonly sync: StandbySlot;
  readonly async: StandbySlot;
  readonly slots: readonly StandbySlot[];
  /** A way to whatever is the primary. */
  newWay(): Promise<PostgresWay>;
  /** A way to whatever stands in a slot. */
  newWayTo(slot: StandbySlot): Promise<PostgresWay>;
  /** True if both standbys follow, commits wait for one of them, and all three answer: one may have been restarted just now. */
  isComplete(): Promise<boolean>;
  /** The synchronous standby becomes the primary; the old one must not reach anybody any more. */
  promote(old: 'dead' | 'cut off'): Promise<void>;
  close(): Promise<void>;
}

const DATABASE = 'dateline';
export const ROLE = { name: 'dateline', password: 'dateline' };
const FOLLOWS_MS = 30_000;
const KEEPS_UP_MS = 5_000;
const ALIVE_MS = 1_500;

export async function startCluster(parent: string): Promise<Cluster> {
  let made = 0;
  const newInstance = (): Promise<PostgresInstance> => {
    made += 1;
    return createInstance({ name: `server_${made}`, parent });
  };
  let primary = await newInstance();
  const ways: PostgresWay[] = [];
  const slots = [await newSlot('x'), await newSlot('y')] as const;
  let sync: StandbySlot = slots[0];
  let completing: Promise<void> = Promise.resolve();
  let isComplete = false;
  let isClosed = false;

  async function newSlot(name: 'x' | 'y'): Promise<StandbySlot> {
    return { name, standby: null, link: await openPostgresWay(primary.port), ways: [] };
  }

  async function fillSlot(slot: StandbySlot): Promise<void> {
    const standby = await newInstance();
    await backUpInto(primary, standby);
    await follow(standby, slot.link.port);
    await standby.start();
    slot.standby = standby;
    for (const way of slot.ways) way.retarget(standby.port);
    await untilFollows(slot, FOLLOWS_MS);
  }

  /** It has what the primary writes now: one that was ahead of its successor begins to stream too, and never gets on. */
  async function follows({ standby }: StandbySlot, from: string): Promise<boolean> {
    const rows = await primary
      .sql(
        `select 1 from pg_stat_replication
         where application_name = $1 and state = 'streaming' and sent_lsn >= $2::pg_lsn and replay_lsn >= $2::pg_lsn`,
        [standby?.name, from],
      )
      .catch(() => []);
    return rows.length > 0;
  }

  async function untilFollows(slot: StandbySlot, limitMs: number): Promise<void> {
    // Of no transaction, so nobody waits for a standby.
    const [mark] = await primary.sql<{ lsn: string }>(
      "select pg_logical_emit_message(false, 'faults', 'a mark') as lsn",
    );
    const from = mark?.lsn ?? '';
    await until(() => follows(slot, from), limitMs, `the standby in ${slot.name} does not follow`);
  }

  /** Commits wait for this one from now on. */
  async function makeSynchronous(slot: StandbySlot): Promise<void> {
    await primary.sql(`alter system set synchronous_standby_names = '"${slot.standby?.name}"'`);
    await primary.sql('select pg_reload_conf()');
    await until(
      async () =>
        (await primary.sql("select 1 from pg_stat_replication where sync_state = 'sync'").catch(() => []))
          .length > 0,
      FOLLOWS_MS,
      'no standby is synchronous',
    );
    sync = slot;
  }

  const otherThan = (slot: StandbySlot): StandbySlot => (slot === slots[0] ? slots[1] : slots[0]);

  await initialise(primary);
  await primary.start();
  await createDatabase(primary);
  for (const slot of slots) await fillSlot(slot);
  await makeSynchronous(sync);
  isComplete = true;

  /** The old primary has left: what stood in the other slot takes over the part of the synchronous standby. */
  async function completeAfter(promoted: StandbySlot): Promise<void> {
    const other = otherThan(promoted);
    const keepsUp = await untilFollows(other, KEEPS_UP_MS).then(
      () => true,
      () => false,
    );
    if (isClosed) return;
    // An asynchronous standby may have been sent what the synchronous one had not: it cannot follow any more.
    if (!keepsUp) {
      await other.standby?.remove();
      await fillSlot(other);
    }
    await makeSynchronous(other);
    if (isClosed) return;
    await fillSlot(promoted);
    isComplete = true;
  }

  return {
    get primary() {
      return primary;
    },
    get sync() {
      return sync;
    },
    get async() {
      return otherThan(sync);
    },
    slots,
    async newWay() {
      const way = await openPostgresWay(primary.port);
      ways.push(way);
      return way;
    },
    async newWayTo(slot) {
      const way = await openPostgresWay(slot.standby?.port ?? 1);
      slot.ways.push(way);
      return way;
    },
    isComplete: async () =>
      isComplete && (await allAnswer([primary, ...slots.flatMap(({ standby }) => standby ?? [])])),
    async promote(old) {
      isComplete = false;
      const [former, promoted] = [primary, sync];
      const next = promoted.standby as PostgresInstance;
      if (old === 'dead') await former.end('SIGKILL');
      // Nobody reaches it from now on: neither by connections that are open, nor by new ones.
      const cutOff = [...ways, ...slots.map(({ link }) => link)];
      for (const way of cutOff) {
        await way.refuse();
        way.cut();
      }
      await next.sql('select pg_promote(true, 30)');
      promoted.standby = null;
      primary = next;
      for (const way of cutOff) {
        way.retarget(next.port);
        await way.resume();
      }
      // One that is alive learns of nothing, and serves nobody.
      const leaves = pause(old === 'dead' ? 0 : ALIVE_MS);
      completing = leaves.then(former.remove).then(() => completeAfter(promoted));
      completing.catch(() => {});
    },
    async close() {
      isClosed = true;
      await completing.catch(() => {});
      for (const way of [...ways, ...slots.flatMap((slot) => [slot.link, ...slot.ways])]) await way.close();
      for (const server of [primary, ...slots.map(({ standby }) => standby)]) await server?.remove();
    },
  };
}

async function allAnswer(servers: readonly PostgresInstance[]): Promise<boolean> {
  const answers = servers.map((server) => server.sql('select 1'));
  return (await Promise.allSettled(answers)).every(({ status }) => status === 'fulfilled');
}

async function createDatabase(primary: PostgresInstance): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    host: '127.0.0.1',
    port: primary.port,
    user: 'postgres',
    password: 'postgres',
    database: 'postgres',
  });
  await client.connect();
  await client.query(`create role ${ROLE.name} login password '${ROLE.password}'`);
  await client.query(`create database ${DATABASE} owner ${ROLE.name}`);
  await client.end();
}

/** The address of the database by a way. */
export function throughWay({ port }: { port: number }): string {
  return `postgres://${ROLE.name}:${ROLE.password}@127.0.0.1:${port}/${DATABASE}`;
}
