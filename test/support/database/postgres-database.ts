import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { databaseWay, testRoles, withPort, withRole } from './database-way.ts';
import { runSql, shiftClock } from './shifted-database.ts';

export interface PostgresDatabase {
  /** The address that a service is given: see `databaseWay`. */
  url: string;
  /** The server itself, with the role that may do everything. */
  adminUrl: string;
  drop(): Promise<void>;
}

/** A new PostgreSQL database: migrated, or empty. */
export async function createPostgresDatabase({ migrated }: { migrated: boolean }): Promise<PostgresDatabase> {
  const server = inject('postgresUrl');
  const name = `dateline_test_${randomUUID().replaceAll('-', '')}`;
  const template = migrated ? inject('postgresTemplate') : 'template0';
  await runAdminCommand(server, `create database ${name} template ${template} strategy file_copy`);
  const adminUrl = `${server}/${name}`;
  await shiftClock(adminUrl);
  return {
    url: urlOnWay(adminUrl, migrated),
    adminUrl,
    drop: () => runAdminCommand(server, `drop database if exists ${name} with (force)`),
  };
}

function urlOnWay(adminUrl: string, migrated: boolean): string {
  switch (databaseWay) {
    case 'straight':
      return adminUrl;
    case 'pooler':
      return withPort(adminUrl, inject('poolerPort'));
    case 'roles':
      return migrated ? withRole(adminUrl, testRoles.service) : adminUrl;
    default:
      return databaseWay satisfies never;
  }
}

export const runAdminCommand = (serverUrl: string, sql: string): Promise<void> =>
  runSql(`${serverUrl}/postgres`, sql);
