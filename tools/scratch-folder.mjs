import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const BYTES_NEEDED = 4 * 2 ** 30;

/**
 * Gives `work` a folder for temporary files, and removes it with all that was left in it. It is in memory where there is room:
 * every suite has a database of its own, and most of what making one costs is making files.
 * @template Result
 * @param {(folder: string) => Promise<Result>} work
 */
export async function withScratchFolder(work) {
  const folder = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), 'dateline-tests-'));
  // A PostgreSQL server that is started by root runs as somebody else.
  chmodSync(folder, 0o711);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function hasRoomInMemory() {
  // Whoever names a folder for temporary files means it.
  if (process.env.TMPDIR || freemem() < BYTES_NEEDED) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= BYTES_NEEDED;
  } catch {
    return false;
  }
}
