import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
import { errorCode, errorMessage } from '../kernel/error-facts.ts';
import type { Database } from './database.ts';
import type { EmbeddedDatabase } from './pglite.ts';
import { TlsSettingError, tlsParameters } from './postgres/tls.ts';
import { gotNoAnswer, StandbyError, StorageUnavailableError } from './storage-error.ts';

export interface DatabaseSettings<Environment extends string> {
  databaseUrl: string | null;
  /** Past a pooler. */
  directUrl?: string | null;
  dataDir: string;
  poolMax: number;
  onError(environment: Environment, error: Error): void;
}

/**
 * Returns a function that opens an environment's database and makes sure that it answers. It loads the driver that it
 * needs, and not the other one.
 */
export function databaseOpener<Environment extends string>(
  settings: DatabaseSettings<Environment>,
): (environment: Environment) => Promise<Database> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== null) return (environment) => openServer(environment, databaseUrl, settings);
  let embedded: Promise<EmbeddedDatabase> | undefined;
  return async (environment) => {
    embedded ??= openEmbedded(dataDir);
    return (await embedded).database(schemaOf(environment));
  };
}

/** The schema of an environment. */
export const schemaOf = (environment: string): string => `dateline_${environment}`;

async function openServer<Environment extends string>(
  environment: Environment,
  url: string,
  { directUrl = null, poolMax, onError }: DatabaseSettings<Environment>,
): Promise<Database> {
  const { openPostgres } = await import('./postgres.ts');
  if (directUrl !== null) await refusePooler(directUrl);
  const database = namingSetting('DATABASE_URL', () =>
    openPostgres({
      schema: schemaOf(environment),
      url,
      directUrl,
      poolMax,
      onError: (error) => onError(environment, error),
    }),
  );
  await refuseIfUnreachable(database, url);
  return database;
}

/** The name of a restored database that is not in its place yet. */
export const RESTORING_MARK = 'database.restored';

/** One instance for all environments, each in its own schema: a second one would cost as much memory again. */
async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  refuseFormerLayout(dataDir);
  refuseHalfRestored(dataDir);
  const folder = join(dataDir, 'database');
  try {
    const { makeDatabaseFolder } = await import('./blank-database.ts');
    await makeDatabaseFolder(folder);
    const { openPGlite } = await import('./pglite.ts');
    return await openPGlite({ folder });
  } catch (error) {
    throw new StartupError(
      `The embedded database in ${folder} cannot be opened (${errorMessage(error)}); restore the folder from a backup, or set DATELINE_DATA_DIR to another one.`,
      { cause: error },
    );
  }
}

/** Earlier builds had an embedded database for each environment, in a folder of its name. Its data is not deleted. */
function refuseFormerLayout(dataDir: string): void {
  const former = ['production', 'sandbox'].find((name) => existsSync(join(dataDir, name, 'PG_VERSION')));
  if (former === undefined) return;
  throw new StartupError(
    `The data folder ${dataDir} has the layout of an earlier Dateline, with an embedded database for each environment; start the version that made it, or set DATELINE_DATA_DIR to a new folder and start over there.`,
  );
}

/** A restore was cut off: a new database in its place would hide both the old data and the restored data. */
function refuseHalfRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, RESTORING_MARK))) return;
  throw new StartupError(
    `A restore into ${dataDir} was cut off before its end; run "dateline restore" again. The data from before is in a folder beside it.`,
  );
}

async function refuseIfUnreachable(
  database: Database,
  url: string,
  setting: AddressSetting = 'DATABASE_URL',
): Promise<void> {
  try {
    await database.ping();
  } catch (error) {
    await database.close().catch(() => {});
    if (error instanceof StandbyError)
      throw new StartupError(
        `${setting}: the database at ${withoutSecrets(url)} is a standby, which may lag behind and is read-only; name the primary.`,
      );
    throw unreachable(error, url, setting);
  }
}

type AddressSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL';

function namingSetting(setting: AddressSetting, open: () => Database): Database {
  try {
    return open();
  } catch (error) {
    throw error instanceof TlsSettingError ? new StartupError(`${setting}: ${error.message}.`) : error;
  }
}

/** The address past a pooler must lead past it, or what needs a session would be lost in silence. */
async function refusePooler(url: string): Promise<void> {
  const { openPostgres } = await import('./postgres.ts');
  const direct = namingSetting('DATABASE_DIRECT_URL', () =>
    openPostgres({ schema: 'direct', url, poolMax: 1, onError() {} }),
  );
  await refuseIfUnreachable(direct, url, 'DATABASE_DIRECT_URL');
  const isPooler = direct.isBehindPooler();
  await direct.close();
  if (!isPooler) return;
  throw new StartupError(
    `DATABASE_DIRECT_URL: ${withoutSecrets(url)} leads to a pooler; name the PostgreSQL server itself.`,
  );
}

/** Turns a storage error during startup into a sentence for the operator; returns any other error as it is. */
export function asStartupError(error: unknown, databaseUrl: string | null): unknown {
  return error instanceof StorageUnavailableError && databaseUrl !== null
    ? unreachable(error, databaseUrl)
    : error;
}

function unreachable(error: unknown, url: string, setting: AddressSetting = 'DATABASE_URL'): StartupError {
  const at = `the database at ${withoutSecrets(url)}`;
  const reason = reasonOf(error);
  const sentence = isTlsFailure(error)
    ? `no TLS connection to ${at} (${reason}); see sslmode and the files of TLS in the address, and the certificate of the server.`
    : gotNoAnswer(error)
      ? `no database answers at ${withoutSecrets(url)} (${reason}); start the server there, or correct the address.`
      : `${at} refuses (${reason}); correct the address, its user, password or database, or see the log of the server${tlsHint(error, url)}.`;
  return new StartupError(`${setting}: ${sentence}`, { cause: error });
}

/** Of a code that is neither the server's nor the operating system's. */
function isTlsFailure(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const isOfSystem = cause instanceof AggregateError || (cause instanceof Error && 'syscall' in cause);
  return gotNoAnswer(error) && errorCode(cause) !== undefined && !isOfSystem;
}

/** invalid_authorization_specification: its rules have no line for such a connection. */
const NO_RULE = '28000';

function tlsHint(error: unknown, databaseUrl: string): string {
  if (!(error instanceof Error) || errorCode(error.cause) !== NO_RULE) return '';
  const { sslmode = 'disable', sslcert = null } = tlsParameters(databaseUrl) ?? {};
  if (sslmode === 'disable') return '; if it demands TLS, add sslmode=verify-full to the address';
  return sslcert === null ? '; if it demands a certificate, add sslcert and sslkey to the address' : '';
}

function reasonOf(error: unknown): string {
  // A refused connection to a name with several addresses has its reasons one level down, and no message.
  const cause = error instanceof Error ? error.cause : undefined;
  const reasons = cause instanceof AggregateError ? cause.errors : [error];
  return reasons.map((reason) => errorMessage(reason)).join(', ');
}

export function withoutSecrets(databaseUrl: string): string {
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `${hostname}:${port || '5432'}${pathname}`;
}
