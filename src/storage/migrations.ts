import { readdirSync, readFileSync } from 'node:fs';
import { sha256Hex } from '../kernel/digest.ts';
import { RIGHTS_FILE } from './rights.ts';

/** One step of the schema, forward only. Rooms keep theirs in their own `migrations/` folder. */
export interface Migration {
  number: number;
  /** File name without `.sql`, such as `0001-identity`. */
  name: string;
  /** Tables are written `{schema}.organizations`, as in every statement. */
  sql: string;
  sha256: string;
}

/** Reads the migrations of several rooms. Their numbers give one order over all rooms. */
export function readMigrations(folders: readonly URL[]): Migration[] {
  const migrations = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.sql') && file !== RIGHTS_FILE)
      .map((file) => readMigration(folder, file)),
  );
  migrations.sort((one, other) => one.number - other.number);
  for (const [index, migration] of migrations.entries())
    refuseGap(migration, migrations[index - 1], migrations.length);
  return migrations;
}

function refuseGap({ name, number }: Migration, before: Migration | undefined, count: number): void {
  if (before?.number === number) {
    // Which of them has landed is not known here: a database that has it refuses another text under its number.
    throw new Error(
      `two migrations have the number ${number}: ${before.name} and ${name}; ` +
        `give the one that has not landed yet the next number, ${String(count).padStart(4, '0')}`,
    );
  }
  const due = (before?.number ?? 0) + 1;
  if (number !== due) throw new Error(`migrations are numbered 1, 2, 3 …: ${name} should have number ${due}`);
}

function readMigration(folder: URL, file: string): Migration {
  const match = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file);
  if (!match) throw new Error(`a migration is named like 0001-what-it-adds.sql; ${file} is not`);
  const sql = readFileSync(new URL(file, folder), 'utf8');
  return { number: Number(match[1]), name: file.slice(0, -'.sql'.length), sql, sha256: sha256Hex(sql) };
}
