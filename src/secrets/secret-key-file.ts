import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSecretKeys } from '../config/parsers.ts';
import { StartupError } from '../errors/startup-error.ts';
import { errorCode, errorMessage } from '../kernel/error-facts.ts';
import { makeDataFolder } from '../storage/data-folder.ts';

export function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

/** The keys in the file, written like the setting; null if there is no file. */
export function readSecretKeyFile(path: string): readonly Buffer[] | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new StartupError(
      `${path} cannot be read (${errorMessage(error)}); give this user access to it, or set DATELINE_SECRET_KEY.`,
    );
  }
  try {
    return parseSecretKeys(text.trim());
  } catch {
    throw new StartupError(
      `${path} is damaged: it does not hold a key of 32 bytes in base64; restore it from a backup, or set DATELINE_SECRET_KEY.`,
    );
  }
}

/**
 * Makes the file, readable by its owner only. It appears whole or not at all, and an existing one is kept.
 * It is on disk before anything can be sealed under its key.
 */
export function makeSecretKeyFile(path: string, key: Buffer): void {
  // One name for all drafts, so that crashes cannot leave more than one file with a key behind.
  const draft = `${path}.draft`;
  makeDataFolder(dirname(path));
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    moveUnlessThere(draft, path);
    flushFolder(dirname(path));
  } catch (error) {
    throw new StartupError(
      `${path} cannot be written (${errorCode(error)}); give this user write access, or set DATELINE_SECRET_KEY.`,
    );
  }
}

/** Not with `rename`, which would replace a file that another process made meanwhile. */
function moveUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function flushFolder(path: string): void {
  const folder = openSync(path, 'r');
  fsyncSync(folder);
  closeSync(folder);
}
