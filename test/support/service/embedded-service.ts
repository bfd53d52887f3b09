import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { EnvironmentName } from '../../../src/environments/environment.ts';
import { type EmbeddedDatabase, openPGlite } from '../../../src/storage/pglite.ts';
import type { TestDatabases } from '../database/test-databases.ts';
import { type RunningTestService, startTestServiceOn } from './test-service.ts';

/** A new data folder. */
export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'dateline-embedded-'));
}

/** A service on the embedded database in a data folder, which begins migrated and empty if it has none. */
export async function startEmbeddedService(
  dataDir: string,
  { isNew, at }: { isNew: boolean; at?: string },
): Promise<RunningTestService> {
  const dump = isNew ? new Blob([readFileSync(inject('pgliteDump'))]) : undefined;
  return startTestServiceOn(
    folderDatabases(join(dataDir, 'database'), dump),
    { DATELINE_DATA_DIR: dataDir },
    at,
  );
}

/** The databases in a folder. */
export function folderDatabases(folder: string, dump?: Blob): TestDatabases {
  let embedded: Promise<EmbeddedDatabase> | undefined;
  const opened = new Map<EnvironmentName, ReturnType<EmbeddedDatabase['database']>>();
  return {
    async open(environment) {
      embedded ??= openPGlite({ folder, dump });
      const database = opened.get(environment) ?? (await embedded).database(`dateline_${environment}`);
      opened.set(environment, database);
      return database;
    },
    async close() {
      for (const database of opened.values()) await database.close();
    },
  };
}
