import { readFileSync } from 'node:fs';
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

async function pgliteDatabases(): Promise<TestDatabases> {
  const embedded = await openPGlite({
    folder: null,
    dump: new Blob([readFileSync(inject('pgliteDump'))]),
  });
  return remembering(async (environment) => embedded.database(`dateline_${environment}`));
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
