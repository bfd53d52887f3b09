import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Written by the build: a database with both schemas migrated, which takes seconds to make. */
const PACKED = new URL('./blank-database.tar.gz', import.meta.url);

/** A migrated database without a row of anybody's; undefined without a build: then PGlite creates an empty one. */
export function readBlankDatabase(packed: URL = PACKED): Blob | undefined {
  return existsSync(packed) ? new Blob([readFileSync(packed)], { type: 'application/x-gzip' }) : undefined;
}

/** Creates a database in a folder that does not exist yet, whole or not at all, even if the process is killed. */
export async function makeDatabaseFolder(folder: string, packed: URL = PACKED): Promise<void> {
  if (existsSync(join(folder, 'PG_VERSION'))) return;
  // Throws if anything is in it: that is not ours to delete.
  if (existsSync(folder)) rmdirSync(folder);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  if (existsSync(packed)) unpack(gunzipSync(readFileSync(packed)), unfinished);
  else await createIn(unfinished);
  renameSync(unfinished, folder);
}

async function createIn(folder: string): Promise<void> {
  const { PGlite } = await import('@electric-sql/pglite');
  await (await PGlite.create({ dataDir: folder })).close();
}

const BLOCK = 512;
const FOLDER = '5';

/**
 * Writes the files of a tar as PGlite makes it: a header of one block, then the content in whole blocks. Having PGlite unpack it would
 * take a second instance, whose 200 MB are never given back.
 */
function unpack(tar: Buffer, target: string): void {
  const field = (from: number, length: number) =>
    tar.toString('latin1', from, from + length).replace(/\0.*/s, '');
  let at = 0;
  while (at < tar.length && tar[at] !== 0) {
    const path = join(target, field(at, 100));
    const size = Number.parseInt(field(at + 124, 12), 8);
    const content = at + BLOCK;
    if (field(at + 156, 1) === FOLDER) mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, tar.subarray(content, content + size), { mode: 0o600 });
    at = content + Math.ceil(size / BLOCK) * BLOCK;
  }
}
