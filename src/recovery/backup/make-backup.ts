import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { errorCode } from '../../kernel/error-facts.ts';
import { present } from '../../kernel/presence.ts';
import { readKeysInUse } from '../../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SecretKey } from '../../secrets/secret-key.ts';
import type { DatabaseFolder } from '../../storage/database.ts';
import { newestMigration } from '../../storage/migrate.ts';
import { sealBackup } from './backup-format.ts';
import { copyFolder, packEntries } from './folder-entries.ts';

export interface BackupParts {
  /** Both have their data in one folder. */
  environments: readonly Environment[];
  box: SecretBox;
  dataDir: string;
}

/** Makes backups of the embedded database while it is in use. */
export interface BackupMaker {
  /** The bytes of a backup of this moment. They are read from a copy, which leaves when they end or are given up. */
  make(): Promise<Readable>;
}

/** The contents of a backup, below the data folder. The secret key is not among them. */
export const DATABASE = 'database';
export const QUICKSTART = 'quickstart.json';

// The database waits while it is copied, and not while the copy is packed and sent: that takes as long as the caller likes.
const COPY = 'backup.unfinished';

export function createBackupMaker(parts: BackupParts): BackupMaker {
  const copy = join(parts.dataDir, COPY);
  let isMaking = false;
  let leaving: Promise<void> = Promise.resolve();

  async function make(): Promise<Readable> {
    const { folder, environment } = embedded(parts);
    const key = await keyInUse(environment, parts.box);
    const migrations = await migrationsOf(parts.environments);
    const madeAt = await copyAll(folder, environment);
    const packed = pipeline(Readable.from(packEntries(copy)), createGzip({ level: 1 }), () => {});
    const sealed = Readable.from(sealBackup(packed, { madeAt: madeAt.toISOString(), migrations }, key));
    // Also where nobody has read it to its end, or at all.
    sealed.once('close', () => {
      packed.destroy();
      leave();
    });
    return sealed;
  }

  async function copyAll(folder: DatabaseFolder, { clock }: Environment): Promise<Date> {
    // Of a process that was killed over it.
    await rm(copy, { recursive: true, force: true });
    await mkdir(copy, { mode: 0o700 });
    const quickstart = join(parts.dataDir, QUICKSTART);
    if (existsSync(quickstart)) await copyFile(quickstart, join(copy, QUICKSTART));
    return folder.holdStill(async (path) => {
      await copyFolder(path, join(copy, DATABASE));
      return clock.now();
    });
  }

  function leave(): void {
    isMaking = false;
    // What cannot be removed now is removed before the next one.
    leaving = rm(copy, { recursive: true, force: true }).catch(() => {});
  }

  return {
    async make() {
      if (isMaking)
        throw new ApiError('conflict', { detail: 'Another backup is being made; wait until it is done.' });
      isMaking = true;
      try {
        await leaving;
        return await make();
      } catch (error) {
        leave();
        throw asNoSpace(error);
      }
    },
  };
}

function embedded({ environments }: BackupParts): { folder: DatabaseFolder; environment: Environment } {
  const environment = present(environments[0], 'an environment');
  const { folder } = environment.database;
  if (folder) return { folder, environment };
  throw new ApiError('conflict', {
    detail:
      'This service has its data on a PostgreSQL server; back that up with pg_dump or pg_basebackup (docs/backup.md).',
  });
}

async function keyInUse(environment: Environment, { keys }: SecretBox): Promise<SecretKey> {
  const { activeId } = await readKeysInUse(environment);
  return present(
    keys.find(({ id }) => id === activeId),
    'the secret key of this node',
  );
}

async function migrationsOf(environments: readonly Environment[]): Promise<Record<string, string>> {
  const found = environments.map(
    async ({ name, session }) => [name, await newestMigration(session)] as const,
  );
  return Object.fromEntries(await Promise.all(found));
}

function asNoSpace(error: unknown): unknown {
  if (errorCode(error) !== 'ENOSPC') return error;
  return new ApiError('conflict', {
    detail: 'The disk of the data folder is full: a backup needs room there for a copy of the database.',
  });
}
