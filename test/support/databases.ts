import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, inject } from 'vitest';
import type { EnvironmentName } from '../../src/environments/environment.ts';
import type { Database } from '../../src/storage/database.ts';
import { openPGlite } from '../../src/storage/pglite.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { createPostgresDatabase } from './postgres-database.ts';

export const engines = ['PGlite', 'PostgreSQL'] as const;
export type Engine = (typeof engines)[number];

/** Says everything twice: what holds must hold on both databases. */
export function onBothDatabases(title: string, define: (engine: Engine) => void): void {
  describe.each(engines)(`${title} (%s)`, define);
}

export interface TestDatabases {
  /** Each environment's own; the same one at every call. */
  open(environment: EnvironmentName): Promise<Database>;
  close(): Promise<void>;
}

/** Migrated, empty and nobody else's. */
export async function createTestDatabases(engine: Engine): Promise<TestDatabases> {
  return engine === 'PGlite' ? pgliteDatabases() : postgresDatabases();
}

function pgliteDatabases(): TestDatabases {
  return remembering(async (environment) => {
    const dump = new Blob([readFileSync(join(inject('pgliteDumps'), `${environment}.tar`))]);
    return openPGlite({ schema: `dateline_${environment}`, folder: null, dump });
  });
}

async function postgresDatabases(): Promise<TestDatabases> {
  const { url, drop } = await createPostgresDatabase({ migrated: true });
  const databases = remembering(async (environment) =>
    openPostgres({ schema: `dateline_${environment}`, url, poolMax: 8, onTrouble() {} }),
  );
  return {
    open: databases.open,
    async close() {
      await databases.close();
      await drop();
    },
  };
}

function remembering(open: (environment: EnvironmentName) => Promise<Database>): TestDatabases {
  const opened = new Map<EnvironmentName, Promise<Database>>();
  return {
    open(environment) {
      const database = opened.get(environment) ?? open(environment);
      opened.set(environment, database);
      return database;
    },
    async close() {
      for (const database of opened.values()) await (await database).close().catch(() => {});
    },
  };
}
