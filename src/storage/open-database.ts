import { join } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
import { makeDatabaseFolder } from './blank-database.ts';
import type { Database } from './database.ts';
import { openPGlite } from './pglite.ts';
import { openPostgres } from './postgres.ts';
import { statement } from './statement.ts';

export interface OpenDatabaseOptions {
  /** `production` or `sandbox`: gives the schema and the folder their names. */
  environment: string;
  databaseUrl: string | null;
  dataDir: string;
  poolMax: number;
  onTrouble(error: Error): void;
}

/** Opens one environment's database and makes sure that it answers. */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const schema = `dateline_${options.environment}`;
  if (options.databaseUrl === null) return openEmbedded(schema, join(options.dataDir, options.environment));
  const database = openPostgres({
    schema,
    url: options.databaseUrl,
    poolMax: options.poolMax,
    onTrouble: options.onTrouble,
  });
  await refuseIfUnreachable(database, options.databaseUrl);
  return database;
}

async function openEmbedded(schema: string, folder: string): Promise<Database> {
  try {
    await makeDatabaseFolder(folder);
    return await openPGlite({ schema, folder });
  } catch (error) {
    throw new StartupError(
      `The embedded database in ${folder} cannot be opened (${(error as Error).message}); restore the folder from a backup, or set DATELINE_DATA_DIR to another one.`,
      { cause: error },
    );
  }
}

const PING = statement('ping', 'select 1');

async function refuseIfUnreachable(database: Database, databaseUrl: string): Promise<void> {
  try {
    await database.run(PING, []);
  } catch (error) {
    await database.close().catch(() => {});
    throw new StartupError(
      `DATABASE_URL: no database answers at ${withoutSecrets(databaseUrl)} (${reasonOf(error)}); start the server there, or correct the address.`,
    );
  }
}

function reasonOf(error: unknown): string {
  // A refused connection to a name with several addresses has its reasons one level down, and no message.
  const cause = (error as Error).cause;
  const reasons = cause instanceof AggregateError ? cause.errors : [error];
  return reasons.map((reason) => (reason as Error).message).join(', ');
}

function withoutSecrets(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || '5432'}${pathname}`;
}
