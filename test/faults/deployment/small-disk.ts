import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { atExit } from './leftovers.ts';

/** A folder of limited size, where one can be had: only root may mount, and only Linux has this kind of file system. */
export interface SmallDisk {
  readonly isLimited: boolean;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  empty(): void;
  close(): void;
}

const FILLER = 'filler';
const BLOCK_BYTES = 2 ** 22;

export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  const isLimited = mount(folder, megabytes);
  const filler = join(folder, FILLER);
  const unmount = (): void => {
    if (isLimited) execFileSync('umount', ['--lazy', folder]);
  };
  const forget = atExit(unmount);
  return {
    isLimited,
    async fill() {
      const file = await open(filler, 'w');
      try {
        for (let free = freeBytes(folder); free > 0; free = freeBytes(folder))
          await file.write(Buffer.alloc(Math.min(free, BLOCK_BYTES)));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    empty: () => rmSync(filler, { force: true }),
    close() {
      forget();
      unmount();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function mount(folder: string, megabytes: number): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    // Containers are not allowed to.
    return false;
  }
}
