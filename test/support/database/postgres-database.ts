import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { runSql, shiftClock } from './shifted-database.ts';

export interface PostgresDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A new PostgreSQL database: migrated, or empty. */
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

export const runAdminCommand = (serverUrl: string, sql: string): Promise<void> =>
  runSql(`${serverUrl}/postgres`, sql);
