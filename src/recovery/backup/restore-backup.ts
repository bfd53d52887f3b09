import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { noteLoss } from '../../doctor/sighting-file.ts';
import { StartupError } from '../../errors/startup-error.ts';
import { errorCode, errorMessage } from '../../kernel/error-facts.ts';
import { type SecretKey, secretKey } from '../../secrets/secret-key.ts';
import { readSecretKeyFile, secretKeyPath } from '../../secrets/secret-key-file.ts';
import { openDataFolder } from '../../storage/data-folder.ts';
import { refuseIfHeld } from '../../storage/data-folder-lock.ts';
import type { Migration } from '../../storage/migrations.ts';
import { RESTORING_MARK } from '../../storage/open-database.ts';
import { type BackupHeader, InvalidBackupError, openBackup, readHeader } from './backup-format.ts';
import { type ByteReader, createByteReader } from './byte-reader.ts';
import { readEntries, syncFolderOf } from './folder-entries.ts';
import { DATABASE, QUICKSTART } from './make-backup.ts';

export interface RestoreOptions {
  file: string;
  dataDir: string;
  /** From the settings; none: the data folder has the key. */
  secretKeys: readonly Buffer[];
  /** Those that this build knows. */
  migrations: readonly Migration[];
  /** Puts aside the data that is there. */
  force: boolean;
  now: Date;
  say(sentence: string): void;
}

export interface Restored {
  /** The moment whose data it is. */
  madeAt: string;
  /** The data that was there before; null if there was none. */
  putAside: string | null;
}

const UNPACKED = 'restore.unfinished';

/** Brings an embedded database back from a backup: the whole of it, or nothing is changed. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { file, dataDir, say } = options;
  refuseIfHeld(dataDir);
  const source = createReadStream(file);
  try {
    const reader = createByteReader(source);
    const head = await readHeader(reader);
    refuseNewer(head.header, options);
    const key = keyFor(head.header, options);
    const lock = await openDataFolder(dataDir, { onLost: () => source.destroy(), say });
    try {
      refuseData(options);
      await unpack(openBackup(reader, head, key), join(dataDir, UNPACKED));
      return { madeAt: head.header.madeAt, putAside: await moveIn(options) };
    } finally {
      await rm(join(dataDir, UNPACKED), { recursive: true, force: true });
      lock.release();
    }
  } catch (error) {
    throw asSentence(error, options);
  } finally {
    source.destroy();
  }
}

/** What anybody may know of a backup. */
export async function readBackupHeader(file: string): Promise<BackupHeader> {
  const source = createReadStream(file);
  try {
    return (await readHeader(createByteReader(source))).header;
  } finally {
    source.destroy();
  }
}

function refuseNewer({ migrations: newest }: BackupHeader, { file, migrations }: RestoreOptions): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = Object.values(newest).find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new StartupError(
    `${file} was made by a newer build: it holds migration ${unknown}, which this build does not know. Restore it with that build, or a later one.`,
  );
}

function keyFor({ secretKeyId }: BackupHeader, { file, dataDir, secretKeys }: RestoreOptions): SecretKey {
  const path = resolve(secretKeyPath(dataDir));
  const bytes = secretKeys.length > 0 ? secretKeys : (readSecretKeyFile(path) ?? []);
  const keys = bytes.map(secretKey);
  const key = keys.find(({ id }) => id === secretKeyId);
  if (key) return key;
  const held = keys.length === 0 ? 'there is none' : `there is ${keys.map(({ id }) => id).join(', ')}`;
  throw new StartupError(
    `${file} is encrypted with the secret key ${secretKeyId}, and ${held}: set DATELINE_SECRET_KEY to it, or put it into ${path}. A backup does not contain it.`,
  );
}

function refuseData({ dataDir, force }: RestoreOptions): void {
  const folder = join(dataDir, DATABASE);
  if (force || !existsSync(folder)) return;
  throw new StartupError(
    `There is a database in ${folder} already; restore with --force, which puts it aside, or set DATELINE_DATA_DIR to an empty folder.`,
  );
}

async function unpack(packed: AsyncIterable<Buffer>, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  // What goes wrong in the source comes out of the end.
  const contents: ByteReader = createByteReader(pipeline(Readable.from(packed), createGunzip(), () => {}));
  await readEntries(contents, folder);
  // To the last frame: the whole file is one that was written so.
  await contents.take(1);
  if (!existsSync(join(folder, DATABASE, 'PG_VERSION')))
    throw new InvalidBackupError('there is no database in it');
}

/**
 * Puts the data into its place. Between the two renames there is no database in the folder, and a service would make an empty
 * one: the mark keeps it from starting.
 */
async function moveIn({ dataDir, now }: RestoreOptions): Promise<string | null> {
  const [database, unpacked] = [join(dataDir, DATABASE), join(dataDir, UNPACKED)];
  const mark = join(dataDir, RESTORING_MARK);
  let putAside: string | null = null;
  // Of a restore that was cut off.
  await rm(mark, { recursive: true, force: true });
  renameSync(join(unpacked, DATABASE), mark);
  if (existsSync(database)) {
    putAside = `${database}.before-${now.toISOString().replaceAll(':', '')}-${randomUUID().slice(0, 8)}`;
    renameSync(database, putAside);
  }
  const quickstart = join(unpacked, QUICKSTART);
  if (existsSync(quickstart)) renameSync(quickstart, join(dataDir, QUICKSTART));
  noteLoss(dataDir, now);
  renameSync(mark, database);
  await syncFolderOf(database);
  return putAside;
}

function asSentence(error: unknown, { file, dataDir }: RestoreOptions): unknown {
  if (error instanceof StartupError) return error;
  if (error instanceof InvalidBackupError || /^Z_/.test(errorCode(error) ?? ''))
    return new StartupError(`${file} is not a whole backup: ${errorMessage(error)}. Nothing was changed.`);
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'EACCES':
    case 'EISDIR':
      return new StartupError(`${file} cannot be read (${errorCode(error)}).`);
    case 'ENOSPC':
      return new StartupError(`The disk of ${dataDir} is full; nothing was changed.`);
    default:
      return error;
  }
}
