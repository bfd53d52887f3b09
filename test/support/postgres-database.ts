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
  return {
    url: `${server}/${name}`,
    drop: () => runAdminCommand(server, `drop database if exists ${name} with (force)`),
  };
}

export async function runAdminCommand(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
