import { accessSync, constants, mkdirSync } from 'node:fs';
import { StartupError } from '../errors/startup-error.ts';
import { lockDataFolder } from './data-folder-lock.ts';

export interface DataFolder {
  close(): void;
}

/** Makes sure that the folder is there and can be written. With `exclusive`, no other process may use it meanwhile. */
export async function openDataFolder(
  path: string,
  { exclusive }: { exclusive: boolean },
): Promise<DataFolder> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw new StartupError(
      `DATELINE_DATA_DIR: the folder ${path} cannot be written (${reason}); give this user the right to, or set it to another folder.`,
    );
  }
  if (!exclusive) return { close() {} };
  const lock = await lockDataFolder(path);
  return { close: () => lock.release() };
}
