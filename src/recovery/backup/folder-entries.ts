import { createReadStream, readFileSync, statSync } from 'node:fs';
import { constants, copyFile, mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidBackupError } from './backup-format.ts';
import { type ByteReader, createByteReader } from './byte-reader.ts';

/** One file, or one folder, which may be empty: the database misses those that are not there. */
interface Entry {
  path: string;
  /** Null for a folder. */
  bytes: number | null;
}

const LINE_BYTES_MAX = 4_096;
const PIECE_BYTES = 1024 * 1024;

/** Copies a folder with all that is in it. Where the file system can, the copies share their blocks with the originals. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE);
  }
}

/** As `writeEntries`, in large pieces: each one is a turn of a process that has other things to do. */
export async function* packEntries(folder: string): AsyncGenerator<Buffer> {
  const reader = createByteReader(writeEntries(folder));
  for (;;) {
    const piece = await reader.take(PIECE_BYTES);
    if (piece.length === 0) return;
    yield piece;
  }
}

/** The folder as a stream: for each entry a line of JSON, and then the bytes of the file. Nothing may write into it meanwhile. */
async function* writeEntries(folder: string): AsyncGenerator<Buffer> {
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    const found = statSync(join(folder, path));
    const entry: Entry = { path, bytes: found.isDirectory() ? null : found.size };
    yield Buffer.from(`${JSON.stringify(entry)}\n`);
    if (entry.bytes === null) continue;
    // A database has a thousand small files, which were written just now.
    if (entry.bytes <= PIECE_BYTES) yield readFileSync(join(folder, path));
    else yield* createReadStream(join(folder, path));
  }
  // The end: an empty line.
  yield Buffer.from('\n');
}

/**
 * Writes the entries of such a stream into a folder. Not flushed to the disk, like all that the embedded database writes: after a
 * power cut it is restored again.
 */
export async function readEntries(source: ByteReader, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (;;) {
    const line = await source.line(LINE_BYTES_MAX);
    if (line === null) throw new InvalidBackupError('its contents have no end');
    if (line === '') return;
    const { path, bytes }: Entry = JSON.parse(line);
    const target = join(folder, path);
    if (!target.startsWith(join(folder, '/')))
      throw new InvalidBackupError('it has a path that leads out of it');
    if (bytes === null) await mkdir(target, { mode: 0o700 });
    else await writeFile(target, source.pieces(bytes), { mode: 0o600 });
  }
}

/** On the disk, when this returns. */
export async function writeWhole(path: string, contents: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of contents) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name in a folder is on the disk when the folder is. */
export async function syncFolderOf(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
