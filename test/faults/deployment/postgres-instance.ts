import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../support/database/free-port.ts';
import { atExit } from './leftovers.ts';
import { postgresPrograms } from './postgres-programs.ts';
import { descendantsOf, type RunningProcess, signal } from './processes.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** One PostgreSQL server. Where it ends by itself, it is started again, as a supervisor does. */
export interface PostgresInstance {
  readonly name: string;
  readonly port: number;
  readonly folder: string;
  readonly disk: SmallDisk;
  isUp(): boolean;
  start(): Promise<void>;
  /** Ends it in one of PostgreSQL's ways, or with -9 and all of its processes, and leaves it down. */
  end(how: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Ends all of its processes with -9; the supervisor starts it again. */
  crash(): Promise<void>;
  /** The processes of the server, its first one aside. */
  processes(): Promise<RunningProcess[]>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** As the superuser. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Ends it for good and removes its files. */
  remove(): Promise<void>;
}

export const SUPERUSER = { name: 'postgres', password: 'postgres' };
const DISK_MEGABYTES = 400;
const RESTART_PAUSE_MS = 200;
const CONNECT_MS = 3_000;
/** Of statements of our own: long enough for a promotion. */
const STATEMENT_MS = 40_000;

const SETTINGS = {
  max_connections: '160',
  shared_buffers: '32MB',
  // A process that is killed loses nothing that it has written; only a machine would.
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'replica',
  max_wal_size: '96MB',
  min_wal_size: '32MB',
  wal_keep_size: '48MB',
  hot_standby: 'on',
  wal_sender_timeout: '4s',
  wal_receiver_timeout: '4s',
  wal_receiver_status_interval: '1s',
  wal_retrieve_retry_interval: '200ms',
  unix_socket_directories: '',
};

export interface InstanceOptions {
  name: string;
  parent: string;
}

/** A folder for a server, and nothing in it yet. */
export async function createInstance({ name, parent }: InstanceOptions): Promise<PostgresInstance> {
  const { postgres, owner } = await postgresPrograms();
  const mounted = join(parent, `disk-${name}`);
  mkdirSync(mounted, { recursive: true });
  const disk = mountSmallDisk(mounted, DISK_MEGABYTES);
  const folder = join(mounted, 'data');
  const port = await freePort();
  const flags = Object.entries({ ...SETTINGS, port: String(port), listen_addresses: '127.0.0.1' });
  let child: ChildProcess | null = null;
  let isWanted = false;
  let starting: Promise<void> = Promise.resolve();

  const forget = atExit(() => child?.pid && signal(child.pid, 'SIGQUIT'));

  function launch(): Promise<void> {
    const launched = spawn(
      postgres,
      ['-D', folder, ...flags.flatMap(([setting, value]) => ['-c', `${setting}=${value}`])],
      { ...owner, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LC_MESSAGES: 'C' } },
    );
    child = launched;
    const ready = new Promise<void>((resolve) => {
      launched.stderr?.on('data', (bytes: Buffer) => {
        appendFileSync(join(parent, `${name}.log`), bytes);
        if (/ready to accept (read-only )?connections/.test(bytes.toString())) resolve();
      });
    });
    const ended = once(launched, 'exit').then(() => {
      if (child === launched) child = null;
      if (isWanted) setTimeout(launchAgain, RESTART_PAUSE_MS);
    });
    return Promise.race([ready, ended]);
  }

  function launchAgain(): void {
    if (isWanted && !child) starting = launch();
  }

  async function kill(how: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (!ending?.pid) return;
    const exit = once(ending, 'exit');
    const below = how === 'SIGKILL' ? await descendantsOf(ending.pid) : [];
    signal(ending.pid, how);
    // Stopped processes do not hear any other signal.
    for (const { pid } of below) signal(pid, how);
    await exit;
  }

  const instance: PostgresInstance = {
    name,
    port,
    folder,
    disk,
    isUp: () => child !== null,
    async start() {
      isWanted = true;
      if (!child) starting = launch();
      await starting;
    },
    async end(how) {
      isWanted = false;
      await kill(how);
    },
    async crash() {
      await kill('SIGKILL');
    },
    processes: async () => (child?.pid ? descendantsOf(child.pid) : []),
    async freeze() {
      if (!child?.pid) return;
      signal(child.pid, 'SIGSTOP');
      for (const { pid } of await descendantsOf(child.pid)) signal(pid, 'SIGSTOP');
    },
    async thaw() {
      if (!child?.pid) return;
      for (const { pid } of await descendantsOf(child.pid)) signal(pid, 'SIGCONT');
      signal(child.pid, 'SIGCONT');
    },
    sql: (text, values = []) => askOnce(port, text, values),
    async remove() {
      await instance.end('SIGKILL');
      forget();
      disk.close();
    },
  };
  return instance;
}

/** Makes the folder of a server into one of its own. */
export async function initialise({ folder }: PostgresInstance): Promise<void> {
  const { initdb, owner } = await postgresPrograms();
  makeOwned(folder, owner);
  const passwords = join(folder, '..', 'password');
  writeFileSync(passwords, SUPERUSER.password, { mode: 0o644 });
  execFileSync(
    initdb,
    [
      `--pgdata=${folder}`,
      '--auth=password',
      `--username=${SUPERUSER.name}`,
      `--pwfile=${passwords}`,
      '--locale=C',
      '--encoding=UTF8',
      '--no-sync',
    ],
    { ...owner, stdio: 'ignore' },
  );
}

export function makeOwned(folder: string, { uid, gid }: { uid?: number; gid?: number }): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

async function askOnce<Row extends pg.QueryResultRow>(
  port: number,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { name: user, password } = SUPERUSER;
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port, user, password, database: 'dateline' },
    ...{ connectionTimeoutMillis: CONNECT_MS, query_timeout: STATEMENT_MS },
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  } finally {
    await client.end().catch(() => {});
  }
}
