import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface PostgresDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A PostgreSQL database of one's own: migrated, or empty. */
export async function createPostgresDatabase({ migrated }: { migrated: boolean }): Promise<PostgresDatabase> {
  const server = inject('postgresUrl');
  const name = `dateline_test_${randomUUID().replaceAll('-', '')}`;
  const template = migrated ? inject('postgresTemplate') : 'template0';
  await runAdminCommand(server, `create database ${name} template ${template}`);
  await shiftClock(`${server}/${name}`);
  return {
    url: `${server}/${name}`,
    drop: () => runAdminCommand(server, `drop database if exists ${name} with (force)`),
  };
}

/** In a run that takes place at another time (see shifted-clock.mjs) the database’s clock is ahead too. */
async function shiftClock(databaseUrl: string): Promise<void> {
  const shiftMs = Number(process.env.CLOCK_SHIFT_MS || '0');
  if (shiftMs === 0) return;
  await runSql(
    databaseUrl,
    `alter function pg_catalog.now() rename to real_now;
     create function pg_catalog.now() returns timestamptz language sql stable
       as $$ select pg_catalog.real_now() + interval '${shiftMs} milliseconds' $$`,
  );
}

export const runAdminCommand = (serverUrl: string, sql: string): Promise<void> =>
  runSql(`${serverUrl}/postgres`, sql);

async function runSql(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
