import { resolve } from 'node:path';
import { createLiveContracts } from '@dateline/versions';
import { folderScopes } from '../api/compose/compose-api.ts';
import { claimDatabase } from '../api/folder/claim-database.ts';
import type { Config } from '../config/load-config.ts';
import type { Environment } from '../environments/environment.ts';
import {
  forBoth,
  type OpenEnvironments,
  openEnvironments,
  type PerEnvironment,
} from '../environments/open-environments.ts';
import { refuseClaimedAudience } from '../oauth/clients/clients/audiences.ts';
import { knownScopes } from '../oauth/scopes/scopes.ts';
import { type BackupMaker, createBackupMaker } from '../recovery/backup/make-backup.ts';
import { openSecretBox } from '../secrets/open-secret-box.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { secretKeyPath } from '../secrets/secret-key-file.ts';
import { migrate } from '../storage/migrate.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';
import { migrations, rights } from './migrations.ts';
import type { ServiceOptions } from './service-options.ts';

/** One environment with its database, at the newest migration, and the secrets in it. */
export interface EnvironmentData {
  environment: Environment;
  box: SecretBox;
}

/** Opens both databases, then prepares the data of one environment after the other. */
export async function openData(
  runtimes: PerEnvironment<EnvironmentRuntime>,
  urls: PerEnvironment<string>,
): Promise<PerEnvironment<EnvironmentData>> {
  const environments = await openDatabases(runtimes, urls);
  return forBoth((name) => prepareData(environments[name], runtimes[name]));
}

/** Says in one line what a pooler in front of the database changes. */
export function logPooler(
  { config, log }: Pick<ServiceOptions, 'config' | 'log'>,
  data: PerEnvironment<EnvironmentData>,
): void {
  if (!data.production.environment.database.isBehindPooler()) return;
  const signals = config.databaseDirectUrl === null ? 'off' : 'past the pooler';
  log.info({ prepared_statements: 'off', signals }, POOLER);
}

const POOLER =
  'DATABASE_URL leads to a pooler; DATABASE_DIRECT_URL is the way past it, for signals and migrations';

/** One maker for both: the embedded database has them in one folder, under one key. */
export function backupsOf(
  { production, sandbox }: PerEnvironment<EnvironmentData>,
  { dataDir }: Config,
): BackupMaker {
  const environments = [production.environment, sandbox.environment];
  return createBackupMaker({ environments, box: production.box, dataDir });
}

async function prepareData(environment: Environment, runtime: EnvironmentRuntime): Promise<EnvironmentData> {
  const { options, build } = runtime;
  const { folder } = build;
  if (!options.alreadyPrepared) await migrateOne(environment, options.say);
  // So that the timeline of the server is known, and a promotion later on is noticed.
  await environment.untilReadersSee();
  const served = folder && { id: folder.id, title: folder.config.title };
  await claimDatabase(environment, served, { adopts: options.adopts === true });
  if (folder) await refuseClaimedAudience(environment, folder.config.upstream.audience);
  // Before anything else is stored: a node with another key is refused.
  return { environment, box: await openBox(environment, options.config) };
}

async function openDatabases(
  runtimes: PerEnvironment<EnvironmentRuntime>,
  urls: PerEnvironment<string>,
): Promise<OpenEnvironments> {
  const { options, closing, build } = runtimes.production;
  const environments = await openEnvironments({
    config: options.config,
    partsOf: (name) => ({
      // The database's clock, like the versions' own: a node whose clock is wrong must not expire live rows.
      clock: runtimes[name].life.clock,
      contracts: createLiveContracts(runtimes[name].build.api, runtimes[name].life.versions),
      url: urls[name],
    }),
    scopes: knownScopes(build.folder ? folderScopes(build.folder) : options.folderScopes),
    openDatabase: options.openDatabase,
    say: options.say,
    abort: options.abort,
    onError: (environment, error) =>
      options.log.warn({ environment, internal: error.message }, 'database connection lost'),
  });
  closing.closeLast(environments.close);
  return environments;
}

async function migrateOne({ name, database }: Environment, say: (sentence: string) => void): Promise<void> {
  const applied = await migrate(database, migrations, { say, rights });
  if (applied.length > 0) say(`Migrated ${name}: ${inShort(applied.map((migration) => migration.name))}`);
}

/** A new database gets them all: nobody reads that many names. */
function inShort(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.length} migrations, up to ${names.at(-1)}`;
}

async function openBox(environment: Environment, { secretKeys, dataDir }: Config): Promise<SecretBox> {
  return openSecretBox(environment, { configured: secretKeys, path: resolve(secretKeyPath(dataDir)) });
}
