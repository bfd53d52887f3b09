import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrations, rights } from '../../../src/compose/migrations.ts';
import { environmentNames } from '../../../src/environments/environment.ts';
import { migrate } from '../../../src/storage/migrate.ts';
import { schemaOf } from '../../../src/storage/open-database.ts';
import { openPGlite } from '../../../src/storage/pglite.ts';
import { openPostgres } from '../../../src/storage/postgres.ts';
import { readBuiltBlank } from '../database/built-blank.ts';
import { databaseWay, makeRoles, testRoles, withRole } from '../database/database-way.ts';
import { startPgBouncer } from '../database/pgbouncer.ts';
import { runAdminCommand } from '../database/postgres-database.ts';
import { type PostgresServer, startPostgresServer } from '../database/postgres-server.ts';
import { missingPrograms, requirePgBouncer } from './needs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** A database with both schemas migrated, to copy from. */
    postgresTemplate: string;
    /** Where PgBouncer listens, in a run through it. */
    poolerPort: number;
    /** The dump of an embedded database with both schemas migrated. */
    pgliteDump: string;
  }
}

/** Starts PostgreSQL and migrates once on each engine; tests start from copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  keepExitCode();
  const folder = mkdtempSync(join(tmpdir(), 'dateline-test-'));
  const template = `dateline_template_${process.pid}`;
  const dump = join(folder, 'pglite.tar');
  // PostgreSQL is another process: each has a core for itself.
  const [server] = await Promise.all([startMigratedServer(template), makeDump(dump)]);
  const pooler =
    databaseWay === 'pooler' ? await startPgBouncer(requirePgBouncer(), server.url, { poolSize: 4 }) : null;
  console.log(`Tests run on PGlite (in memory) and on PostgreSQL (${server.origin}, ${databaseWay}).`);
  for (const sentence of missingPrograms()) console.log(sentence);
  project.provide('postgresUrl', server.url);
  project.provide('postgresTemplate', template);
  project.provide('pgliteDump', dump);
  if (pooler) project.provide('poolerPort', pooler.port);
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    await pooler?.stop();
    await runAdminCommand(server.url, `drop database if exists ${template}`);
    await server.stop();
  };
}

/** The embedded server's library ends the process with 0 when nothing is left to do, whatever the tests have found. */
function keepExitCode(): void {
  let found: typeof process.exitCode;
  process.prependListener('beforeExit', () => {
    found = process.exitCode;
  });
  process.on('exit', () => {
    process.exitCode = found ?? process.exitCode;
  });
}

async function startMigratedServer(template: string): Promise<PostgresServer> {
  const server = await startPostgresServer();
  await makeTemplate(server.url, template);
  return server;
}

async function makeTemplate(url: string, template: string): Promise<void> {
  await runAdminCommand(url, `create database ${template}`);
  const adminUrl = `${url}/${template}`;
  if (databaseWay === 'roles') await makeRoles(adminUrl);
  const owner = databaseWay === 'roles' ? withRole(adminUrl, testRoles.owner) : adminUrl;
  for (const name of environmentNames) {
    const schema = schemaOf(name);
    const database = openPostgres({ schema, url: owner, poolMax: 1, onError() {} });
    await migrate(database, migrations, { rights });
    await database.close();
  }
}

async function makeDump(file: string): Promise<void> {
  const embedded = await openPGlite({ folder: null, dump: readBuiltBlank() });
  const databases = environmentNames.map((name) => embedded.database(schemaOf(name)));
  for (const database of databases) await migrate(database, migrations);
  writeFileSync(file, Buffer.from(await (await embedded.dump()).arrayBuffer()));
  for (const database of databases) await database.close();
}
