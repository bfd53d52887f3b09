import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StartupError } from '../errors/startup-error.ts';
import { errorCode } from '../kernel/error-facts.ts';
import { type DataFolderLock, type LockOptions, lockDataFolder } from './data-folder-lock.ts';

/** Makes sure that the folder exists, is writable, and is used by no other process. */
export async function openDataFolder(path: string, options: LockOptions): Promise<DataFolderLock> {
  makeDataFolder(path);
  return lockDataFolder(path, options);
}

export function makeDataFolder(path: string): void {
  try {
    makeFolder(resolve(path));
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = errorCode(error);
    throw new StartupError(
      `DATELINE_DATA_DIR: the folder ${path} cannot be written (${reason}); give this user write access, or set it to another folder.`,
    );
  }
}

/** Not with `recursive`: where a file system makes no folders, such as /proc, Node tries for ever. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another node may have made it just now.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
