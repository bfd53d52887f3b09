import { environmentNames } from '../environments/environment.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { Database } from '../storage/database.ts';
import { type MigrateOptions, migrateAsOwner } from '../storage/migrate.ts';
import { databaseOpener } from '../storage/open-database.ts';
import { isPermissionDenied } from '../storage/storage-error.ts';
import { awaitDatabase } from './await-database.ts';
import { closingOnFailure } from './closing.ts';
import { migrations, rights } from './migrations.ts';
import type { ServiceOptions } from './service-options.ts';

/** One environment after `migrateDatabases`. */
export interface MigratedEnvironment {
  environment: string;
  /** Names of the migrations that were applied now. */
  applied: string[];
  /** The newest that there is. */
  newest: string | null;
  /** The role that was given the rights to serve; null where the owner serves. */
  serviceRole: string | null;
}

/** Migrates both environments on a PostgreSQL server, and starts nothing. */
export function migrateDatabases(
  options: Pick<ServiceOptions, 'config' | 'say' | 'waitMs'>,
): Promise<MigratedEnvironment[]> {
  const { config, say } = options;
  // One address is enough: past a pooler if there is one.
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const open = databaseOpener({ databaseUrl, dataDir: config.dataDir, poolMax: 1, onError() {} });
  return closingOnFailure({ databaseUrl }, async (closing) => {
    const migrated: MigratedEnvironment[] = [];
    for (const environment of environmentNames) {
      const database = await awaitDatabase(options, () => open(environment));
      closing.closeLast(() => database.close());
      const onMigration = ({ name }: { name: string }): void => say(`${environment}: ${name}`);
      const { applied, serviceRole } = await migrateAsItsOwner(database, { say, onMigration, rights });
      const newest = migrations.at(-1)?.name ?? null;
      migrated.push({ environment, applied: applied.map(({ name }) => name), newest, serviceRole });
    }
    await closing.close(0);
    return migrated;
  });
}

async function migrateAsItsOwner(database: Database, options: MigrateOptions) {
  try {
    return await migrateAsOwner(database, migrations, options);
  } catch (error) {
    if (!isPermissionDenied(error)) throw error;
    throw new StartupError(
      `The role of this address may not change the schema ${database.schema}; run "dateline migrate" with the role that owns it.`,
      { cause: error },
    );
  }
}
